import type { SentFile } from '../kept-files.ts';

/** A build of py-spy that is sent to a target that has none: statically linked, so it needs no library there. */
export interface PySpyBuild extends SentFile {
  /** The wheel on PyPI. */
  readonly url: string;
}

export const SENT_VERSION = '0.4.3';

const SENT = { tool: 'py-spy', name: 'py-spy', entry: `py_spy-${SENT_VERSION}.data/scripts/py-spy` };

/** PyPI's address of a file: it begins with its BLAKE2b hash. */
const file = (hash: string, tag: string): string =>
  `https://files.pythonhosted.org/packages/${hash}/py_spy-${SENT_VERSION}-py2.py3-none-${tag}.whl`;

export const PY_SPY_BUILDS: readonly PySpyBuild[] = [
  {
    ...SENT,
    machine: 'x86_64',
    url: file(
      '78/1f/651389a861f6148754443834a50dd576993257af5f645d4316ab94505267',
      'manylinux1_x86_64.manylinux_2_5_x86_64',
    ),
    archiveSha256: '8a4277225f470d394a85cca0cdd944bef87f0097b6f20150a6dd3ac2e92806b8',
    sha256: 'a41205d4925beafd108e1ace85e66c0a1a7adbfcbebcd4441f07848b608886c0',
  },
  {
    ...SENT,
    machine: 'aarch64',
    url: file(
      '60/c3/c9384da6992d64e0dffab551cda3d1e990de1a2685fcfcc16fc8e5a98b18',
      'manylinux2014_aarch64.manylinux_2_17_aarch64',
    ),
    archiveSha256: 'bbcec46930d464b3bfc142d6d02ade4dd8ad5627823263b3eff0280e80c7c132',
    sha256: 'ad6e22882e8dcaced4f0a76fef10d372645cc7b94c48a289ebe1bedb754774ed',
  },
];
