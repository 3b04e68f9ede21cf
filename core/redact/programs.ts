/**
 * The secret part of an option's value.
 * `secret`: all of it · `user`: after the first colon · `percent`: after the first `%` · `comma`: after the first comma
 * · `header`: a header's value · `cookie`: all of it unless it is a file · `proxy`: before the last `@` · `cert`: after
 * the last colon · `login`: from the first colon to the last `@` · `source`: after `pass:` · `slash`: after the first
 * slash · `key`: the path of a key · `guess`: all of it unless it is a number, an address, a path, an assignment or a
 * prompt · `none`: nothing.
 */
export type Holds =
  | 'secret'
  | 'user'
  | 'percent'
  | 'comma'
  | 'header'
  | 'cookie'
  | 'proxy'
  | 'cert'
  | 'login'
  | 'source'
  | 'slash'
  | 'key'
  | 'guess'
  | 'none';

/** The position of an operand that is a secret; rest: that operand and all after it are. */
export type SecretOperand = number | 'rest';

/** Meaning of a program's options; the general rules apply to options that are not listed. */
export interface Program {
  /**
   * Options of one letter by the secret part of their value. List harmless options, too, if the general rules would
   * redact them.
   */
  readonly letters?: Readonly<Record<string, Holds>>;
  /** The value is always in the same argument, as in `mysql -psecret`. */
  readonly attached?: true;
  /** The letters have this meaning only after this word, as in `docker login`. */
  readonly only?: string;
  /** Longer options, as they are written. */
  readonly options?: Readonly<Record<string, Holds>>;
  /** Names of `name=value` that are secrets for this program but not elsewhere. */
  readonly fields?: readonly string[];
  /** Operands that are secrets: their position after the word (`''`: after the program). */
  readonly operands?: Readonly<Record<string, SecretOperand>>;
  /** Its first operand begins the command of another program. */
  readonly starts?: true;
  /** Form of operands that hold a user and a password: `user/password@place`, `user:password@place`. */
  readonly logon?: Holds;
}

const MYSQL: Program = {
  letters: { p: 'secret', u: 'none', H: 'none', P: 'none', h: 'none', e: 'none', D: 'none' },
  attached: true,
  options: { '--password': 'none', '--user': 'none' },
};
const POSTGRES: Program = { letters: { u: 'none', H: 'none' }, options: { '--password': 'none' } };
const SQL_SERVER: Program = { letters: { P: 'secret', H: 'none', i: 'none', Q: 'none', q: 'none' } };
const ORACLE: Program = { logon: 'slash' };
const LDAP: Program = { letters: { w: 'secret', H: 'none', D: 'none', b: 'none' } };
const SAMBA: Program = { letters: { U: 'percent' }, options: { '--user': 'percent' } };
const SNMP: Program = { letters: { c: 'secret', A: 'secret', X: 'secret', u: 'none', a: 'none', x: 'none' } };
const MONGO: Program = { letters: { p: 'secret', u: 'none' } };
const MOSQUITTO: Program = { letters: { P: 'secret', p: 'none', u: 'none', i: 'none', m: 'none', t: 'none' } };
const ARCHIVER: Program = { letters: { p: 'secret', u: 'none' }, attached: true };
const HTTP_LOAD: Program = {
  letters: { H: 'header', a: 'user', m: 'none', d: 'none' },
  options: { '-header': 'header', '-user': 'user' },
};
const HTTPIE: Program = { letters: { a: 'user', u: 'none' }, options: { '--auth': 'user' } };
const CONTAINERS: Program = {
  letters: { p: 'secret', u: 'none', H: 'none', e: 'none' },
  only: 'login',
  options: { '--user': 'none', '--userns': 'none' },
};
const SALT: Readonly<Record<string, Holds>> = { '-salt': 'none', '-in': 'none' };
const SSH: Program = { letters: { i: 'key', p: 'none', o: 'none', u: 'none', H: 'none', P: 'none' } };
/** Programs whose `-u`, `-H` or `-i` does not hold a secret. */
const HARMLESS: Program = { letters: { u: 'none', H: 'none', i: 'none', p: 'none' }, options: { '--user': 'none' } };

/** Like {@link HARMLESS}, but the programs then start another one. */
const STARTING: Program = { ...HARMLESS, starts: true };

const groups: readonly (readonly [names: string, program: Program])[] = [
  [
    'mysql mysqldump mysqlimport mysqlshow mysqlcheck mysqlslap mysqlbinlog mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import',
    MYSQL,
  ],
  ['mysqlsh', { ...MYSQL, options: { ...MYSQL.options, '--uri': 'login' }, logon: 'login' }],
  ['psql pg_dump pg_dumpall pg_restore pgbench createdb dropdb vacuumdb reindexdb pg_basebackup pg_isready', POSTGRES],
  ['sqlcmd bcp osql tsql', SQL_SERVER],
  // unixODBC's `isql DSN user password`; Sybase's and Firebird's use options.
  ['isql iusql', { letters: { P: 'secret', p: 'secret', ...plain('SUDHid') }, operands: { '': 3 } }],
  ['sqlplus sqlldr expdp impdp rman sqlcl', ORACLE],
  [
    'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop cqlsh cypher-shell beeline rabbitmqadmin nodetool psexec hydra medusa evil-winrm netexec crackmapexec',
    MONGO,
  ],
  ['ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapcompare ldapmodrdn', LDAP],
  ['ldappasswd', { letters: { w: 'secret', s: 'secret', a: 'secret', H: 'none', D: 'none' } }],
  ['net', { ...SAMBA, operands: { use: 2, user: 2 } }],
  ['smbclient', { ...SAMBA, letters: { ...SAMBA.letters, ...plain('cpDIWTLm') }, operands: { '': 2 } }],
  ['rpcclient smbget smbmap winexe', SAMBA],
  ['snmpget snmpwalk snmpbulkwalk snmpset snmptrap snmpgetnext snmptable snmpbulkget', SNMP],
  ['mosquitto_pub mosquitto_sub mosquitto_rr', MOSQUITTO],
  ['7z 7za 7zr 7zz rar unrar', ARCHIVER],
  ['zip unzip zipcloak', { letters: { P: 'secret', u: 'none', i: 'none' } }],
  ['hey oha wrk wrk2 h2load siege vegeta bombardier k6 autocannon fortio', HTTP_LOAD],
  ['http https xh xhs', HTTPIE],
  ['ab', { letters: { A: 'user', P: 'user', C: 'cookie', H: 'header', p: 'none', u: 'none', i: 'none' } }],
  [
    'curl',
    {
      letters: {
        u: 'user',
        U: 'user',
        H: 'header',
        b: 'cookie',
        x: 'proxy',
        E: 'cert',
        ...plain('AcCdDeFhKmoPQrtTwXyYz'),
      },
      options: {
        '--user': 'user',
        '--proxy-user': 'user',
        '--header': 'header',
        '--proxy-header': 'header',
        '--cookie': 'cookie',
        '--proxy': 'proxy',
        '--preproxy': 'proxy',
        '--cert': 'cert',
        '--proxy-cert': 'cert',
        '--oauth2-bearer': 'secret',
        '--pass': 'secret',
        '--proxy-pass': 'secret',
      },
    },
  ],
  ['wget', { options: { '--user': 'none', '--header': 'header' }, letters: { u: 'none', i: 'none', H: 'none' } }],
  ['lftp', { letters: { u: 'comma' }, options: { '--user': 'comma' } }],
  ['ncftp ncftpget ncftpput', { letters: { p: 'secret', u: 'none' } }],
  ['sshpass', { letters: { p: 'secret', P: 'none', f: 'none', d: 'none' } }],
  ['ssh scp sftp autossh mosh ssh-add ssh-copy-id slogin sshfs', SSH],
  ['stunnel stunnel4 socat', { fields: ['key', 'psksecrets'], letters: { u: 'none', p: 'none' } }],
  ['plink pscp psftp putty', { options: { '-pw': 'secret' }, letters: { i: 'key' } }],
  [
    'redis-cli keydb-cli valkey-cli',
    {
      letters: { a: 'secret', u: 'none', i: 'none', p: 'none', h: 'none' },
      operands: { auth: 'rest', AUTH: 'rest', requirepass: 1 },
    },
  ],
  ['redis-benchmark', { letters: { a: 'secret', p: 'none', h: 'none' } }],
  ['memtier_benchmark', { letters: { a: 'secret', p: 'none' }, options: { '--authenticate': 'secret' } }],
  ['docker podman nerdctl buildah skopeo helm oras', CONTAINERS],
  ['oc az ibmcloud cf', { letters: { p: 'secret', u: 'none' }, only: 'login', operands: { auth: 2 } }],
  [
    'openssl',
    {
      options: {
        '-pass': 'source',
        '-passin': 'source',
        '-passout': 'source',
        '-k': 'secret',
        '-K': 'secret',
        ...SALT,
      },
      letters: { u: 'none' },
      operands: { passwd: 1 },
    },
  ],
  ['ipmitool', { letters: { P: 'secret', H: 'none', U: 'none' } }],
  ['xfreerdp wlfreerdp xfreerdp3', { options: { '/p': 'secret' }, letters: { p: 'secret', u: 'none' } }],
  ['rdesktop', { letters: { p: 'secret', u: 'none' } }],
  ['swaks', { options: { '-ap': 'secret', '--auth-password': 'secret' } }],
  ['useradd usermod', { letters: { p: 'secret', u: 'none' } }],
  ['svn svnadmin', { letters: { u: 'none' } }],
  ['etcdctl', { options: { '--user': 'user' } }],
  ['cadaver davfs influx', { letters: { u: 'none' } }],
  ['nsupdate dig', { letters: { y: 'user', u: 'none', p: 'none' } }],
  ['sendemail', { options: { '-xp': 'secret' }, letters: { u: 'none' } }],
  ['pdftk', { operands: { input_pw: 1, owner_pw: 1, user_pw: 1 } }],
  ['ngrok', { operands: { authtoken: 1, 'add-authtoken': 1 } }],
  ['steamcmd steam', { operands: { '+login': 2 } }],
  ['wpa_cli iwconfig', { operands: { psk: 1, key: 1 } }],
  ['mc', { operands: { set: 4 } }],
  ['rclone', { operands: { secret_access_key: 1, pass: 1, password: 1, token: 1 } }],
  ['vault', { operands: { login: 1 } }],
  ['nmcli', { operands: { password: 1, 'wifi-sec.psk': 1, '802-11-wireless-security.psk': 1 } }],
  ['rabbitmqctl', { operands: { add_user: 2, change_password: 2, authenticate_user: 2 } }],
  ['wpa_passphrase', { operands: { '': 2 } }],
  ['mkpasswd', { operands: { '': 1 } }],
  [
    'htpasswd',
    { operands: { '-b': 3, '-nb': 2, '-bn': 2, '-cb': 3, '-bc': 3, '-Bb': 3, '-bB': 3, '-nbB': 2, '-bnB': 2 } },
  ],
  [
    'python python2 python3 node ruby perl php sort uniq diff git date ps pgrep pkill kill journalctl systemctl tail tar cp mv rm sed grep egrep fgrep rg ag du df ls nginx lsof gunicorn uwsgi uvicorn start-stop-daemon crontab rsync make patch ffmpeg ffprobe nc ncat kubectl top htop id touch find',
    HARMLESS,
  ],
  ['iptables ip6tables ebtables cargo npx npm yarn pnpm tsc tmux java mvn gradle dotnet', { letters: { p: 'none' } }],
  ['perf strace ltrace chpst setpriv runuser su sudo su-exec gosu', STARTING],
  ['mysqladmin', { ...MYSQL, operands: { password: 1 } }],
  ['nikto', { options: { '-id': 'user' } }],
];

export const PROGRAMS: ReadonlyMap<string, Program> = new Map(
  groups.flatMap(([names, program]) => names.split(' ').map((name) => [name, program] as const)),
);

function plain(letters: string): Record<string, Holds> {
  return Object.fromEntries([...letters].map((letter) => [letter, 'none' as const]));
}
