import { expect, test } from 'vitest';
import { nameForms, shortenName, withoutPath } from '#core/analyze/short-name.ts';

const CPP = 'svc::Module<Json, 36>::parse(std::vector<int, std::allocator<int> > const&)';

test.each([
  [CPP, 76, CPP],
  [CPP, 60, 'svc::Module<…>::parse(std::vector<…> const&)'],
  [CPP, 30, 'svc::Module<…>::parse(…)'],
  [CPP, 23, '…::Module<…>::parse(…)'],
  [CPP, 20, '…::parse(…)'],
  [CPP, 9, 'parse(…)'],
  [CPP, 7, 'parse'],
  [CPP, 3, 'par'],
  ['void std::sort<int*, Less<int> >(int*, int*)', 24, 'void std::sort<…>(…)'],
  ['void std::sort<int*, Less<int> >(int*, int*)', 18, 'std::sort<…>(…)'],
  ['(anonymous namespace)::run(int) const [clone .cold]', 40, '(anonymous namespace)::run(…)'],
  ['(anonymous namespace)::run(int) const [clone .cold]', 10, '…::run(…)'],
  ['std::ostream& operator<< <char>(std::ostream&, char)', 22, 'operator<< <char>(…)'],
  ['std::function<void (int)>::operator()(int) const', 28, 'function<…>::operator()(…)'],
  ['operator new(unsigned long)', 15, 'operator new(…)'],
  ['<alloc::Vec<T> as core::FromIterator<T>>::from_iter', 20, '<…>::from_iter'],
  ['tokio::runtime::task::core::Core<T, S>::poll', 24, '…::core::Core<…>::poll'],
  ['app::server::run::{{closure}}', 20, '…::run::{{closure}}'],
  ['java.util.HashMap.getNode(Object, int)', 30, 'java.util.HashMap.getNode(…)'],
  ['java.util.HashMap.getNode(Object, int)', 20, '…HashMap.getNode(…)'],
  ['java/util/HashMap.<init>(Ljava/lang/String;)V', 20, 'HashMap.<init>(…)'],
  ['cmd/compile/internal/ssa.Compile', 20, 'ssa.Compile'],
  ['net/http.(*conn).serve', 20, 'http.(*conn).serve'],
  ['main.main.func1.countRequests.2', 18, '…countRequests.2'],
  ['slices.Sort[go.shape.int]', 14, 'slices.Sort[…]'],
  ['/usr/lib/libc.so.6', 10, 'libc.so.6'],
  ['~work /srv/app.js:12', 10, '~work'],
  ['Layout Update Tree', 11, 'Layou… Tree'],
  ['a<b and more', 9, 'a<b …more'],
  ['asm_sysvec_apic_timer_interrupt', 12, 'asm_sy…rrupt'],
])('%s in %i characters: %s', (name, length, expected) => {
  expect(shortenName(name, length)).toBe(expected);
});

test('forms never lose the identifier, and start with the name', () => {
  for (const name of [CPP, 'a::b::c<d, e>(f)', 'x.y.z', 'main.main.func1']) {
    const forms = nameForms(name);
    expect(forms[0]).toBe(name);
    const last = forms.at(-1)!;
    for (const form of forms) expect(form).toContain(last);
  }
});

test('stays linear with deep and unpaired brackets', () => {
  const deep = 'a<'.repeat(1000);
  expect(shortenName(deep, 20)).toHaveLength(20);
  expect(shortenName(`f${'<'.repeat(900)}${'>'.repeat(900)}`, 20)).toBe('f<…>');
});

test('removes only paths of the name itself', () => {
  expect(withoutPath('slices.Sort[a/b.C]')).toBe('slices.Sort[a/b.C]');
  expect(withoutPath('~work /srv/app.js:12')).toBe('~work /srv/app.js:12');
  expect(withoutPath('a/')).toBe('a/');
});
