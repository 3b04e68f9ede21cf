/** What a page shows: the parameters of its address. */
export type StateQuery = Readonly<Record<string, string>>;

const SMALL = 'main;serve;parse 320\nmain;serve;write 140\nmain;serve;parse;copy 80\nmain;idle 60';
const HOSTILE = [
  'main;<img src=x onerror=alert(1)> 90',
  'main;__proto__;constructor 70',
  'main;${process.exit()}`"\' 50',
  `main;${'std::map<std::string, '.repeat(12)}int${'>'.repeat(12)}::find(std::string const&) 40`,
  'main;\u202Etxt.exe\u200B\u2028\u0007 30',
  'main;函数;دالة 20',
].join('\n');
const GREW = SMALL.replace('320', '520');

/** Every page of a component alone, by what it shows. */
export const STATES: Readonly<Record<string, StateQuery>> = {
  'Flame graph and functions': { folded: SMALL },
  'Icicle graph with a search': { folded: SMALL, orientation: 'icicle', search: 'parse' },
  'Coloured by kind of code': { folded: SMALL, colour: 'kind' },
  'Zoomed in': { folded: SMALL, root: '2' },
  'Hostile names': { folded: HOSTILE },
  'Call tree': { folded: SMALL, table: 'tree' },
  'Call tree of hostile names': { folded: HOSTILE, table: 'tree' },
  'A million functions': { rows: '1000000' },
  'A million nodes': { nodes: '1000000' },
  'Comparison of one capture a side': { before: SMALL, after: GREW },
  'Comparison of three captures a side': {
    before: [SMALL, SMALL.replace('320', '316'), SMALL.replace('320', '325')].join('|'),
    after: [GREW, GREW.replace('520', '516'), GREW.replace('520', '525')].join('|'),
  },
  'Comparison of hostile names': { before: HOSTILE, after: HOSTILE.replaceAll('90', '190') },
  'Comparison of a hundred thousand functions': { deltas: '100000' },
  'A running experiment': { experiment: './server-old → ./server-new' },
  'A running experiment of a hostile name': { experiment: HOSTILE },
  Terminal: { terminal: '\u001B[32mweb-1\u001B[0m:~$ perf record\r\n[sudo] password for me: ' },
};
