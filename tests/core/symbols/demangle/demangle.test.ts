import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demangle } from '#core/symbols/demangle/demangle.ts';

/** Names from compilers, with c++filt's output for them. */
const CPP: readonly (readonly [string, string])[] = [
  ['_Z4betav', 'beta()'],
  ['_ZN3foo3barEi', 'foo::bar(int)'],
  ['_ZNK1A1fEPKcRSt6vectorIiSaIiEE', 'A::f(char const*, std::vector<int, std::allocator<int> >&) const'],
  ['_ZN1AC2ERKS_', 'A::A(A const&)'],
  ['_ZN1AD0Ev', 'A::~A()'],
  ['_ZNSsC1Ev', 'std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string()'],
  ['_ZlsRSoRK1A', 'operator<<(std::ostream&, A const&)'],
  ['_ZN1BIiEcvT_Ev', 'B<int>::operator int()'],
  ['_Z3fooIiEvT_', 'void foo<int>(int)'],
  ['_Z1fPFivE', 'f(int (*)())'],
  ['_Z1fM1AKFviE', 'f(void (A::*)(int) const)'],
  ['_Z1fRA3_i', 'f(int (&) [3])'],
  ['_Z1fIJicEEvDpRKT_', 'void f<int, char>(int const&, char const&)'],
  ['_ZN12_GLOBAL__N_11fEv', '(anonymous namespace)::f()'],
  ['_ZZ4mainENKUlvE_clEv', 'main::{lambda()#1}::operator()() const'],
  ['_ZZ1fvE1x', 'f()::x'],
  ['_ZTV1A', 'vtable for A'],
  ['_ZThn16_N1A1fEv', 'non-virtual thunk to A::f()'],
  ['_ZGVZ1fvE1x', 'guard variable for f()::x'],
  ['_ZN1A1fB5cxx11Ev', 'A::f[abi:cxx11]()'],
  ['_Z1fILb1ELi5ELin3EEvv', 'void f<true, 5, -3>()'],
  ['_Z3foov.isra.0.cold', 'foo() [clone .isra.0] [clone .cold]'],
  ['_ZN3foo3barEi@plt', 'foo::bar(int)@plt'],
  [
    '_ZNSt6vectorIS_IiSaIiEESaIS1_EE9push_backEOS1_',
    'std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, std::allocator<int> > > >::push_back(std::vector<int, std::allocator<int> >&&)',
  ],
];

const RUST: readonly (readonly [string, string])[] = [
  ['_ZN4core3ptr13drop_in_place17h2b29e2302d643c86E', 'core::ptr::drop_in_place'],
  [
    '_ZN71_$LT$alloc..sync..Arc$LT$T$C$A$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hfd2d316d5c55f618E',
    '<alloc::sync::Arc<T,A> as core::ops::drop::Drop>::drop',
  ],
  ['_ZN1t4main28_$u7b$$u7b$closure$u7d$$u7d$17h120323015a24e2c3E.llvm.1234ABCD', 't::main::{{closure}}'],
  [
    'gc::gc::GcBox$LT$T$GT$::new::_$u7b$$u7b$closure$u7d$$u7d$::ha2ed0674a1c3dc9f',
    'gc::gc::GcBox<T>::new::{{closure}}',
  ],
  ['std::thread::spawn::h2b29e2302d643c86', 'std::thread::spawn'],
  ['_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt', 'core::panicking::panic_fmt'],
  ['_RINvNtCsjrHSEGnQ3l9_3std3env6var_osReECsjMaewn57Afh_1t', 'std::env::var_os::<&str>'],
  ['_RNvXs1d_NtNtCsgEmfK2I1SDS_4core3cmp5implslNtB8_3Ord3cmpCsjMaewn57Afh_1t', '<i32 as core::cmp::Ord>::cmp'],
  ['_RINvCsjMaewn57Afh_1t3genNCNvB2_4mains1_0EB2_', 't::gen::<t::main::{closure#3}>'],
  ['_RINvNtCsgEmfK2I1SDS_4core3ptr10swap_chunkKj4_ECsjMaewn57Afh_1t', 'core::ptr::swap_chunk::<4>'],
];

describe('demangle', () => {
  test.each([...CPP, ...RUST])('demangles %s', (mangled, expected) => {
    expect(demangle(mangled)).toBe(expected);
  });

  test.each([
    '',
    'main',
    '_Z',
    '_R',
    '_ZN',
    '_Zzz9',
    '_start',
    '_Rust',
    '__proto__',
    'foo::hffffffffffffffff',
    'La/B;::f',
    '_ZN3foo3barE?',
    `_Z${'P'.repeat(10_000)}i`,
    `_Z1f${'N'.repeat(10_000)}`,
    `_R${'B_'.repeat(1000)}`,
  ])('leaves %s unchanged', (name) => {
    expect(demangle(name)).toBeNull();
  });

  test('ends early for a name that doubles with each letter', () => {
    const bomb = `_Z1f${'St4pairIS_S_E'.repeat(0)}1AI1BIS_S_E${'S0_S0_'.repeat(3000)}`;
    expect(() => demangle(bomb)).not.toThrow();
    let text = '1aI1bE';
    for (let index = 0; index < 60; index++)
      text += `1cIS${index.toString(36).toUpperCase()}_S${index.toString(36).toUpperCase()}_E`;
    expect((demangle(`_Z1f${text}`) ?? '').length).toBeLessThan(100_000);
  });

  test('never fails or hangs on damaged names', () => {
    const names = [...CPP, ...RUST].map(([mangled]) => mangled);
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat(),
        fc.string({ maxLength: 6 }),
        fc.nat(4),
        (name, at, insert, cut) => {
          const place = at % name.length;
          demangle(name.slice(0, place) + insert + name.slice(place + cut));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
