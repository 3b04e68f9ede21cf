const PEM = '-----BEGIN RSA PRIVATE KEY-----\nMIIhunter2abc\nq8hunter2==\n-----END RSA PRIVATE KEY-----';
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c';

/**
 * Command lines with a secret in each form that tools accept. The secret is `hunter2`, or begins with the second text.
 */
export const SECRET_FORMS: readonly (readonly [argv: readonly string[], secret?: string])[] = [
  // User and password
  [['curl', '-uuser:hunter2', 'https://h/']],
  [['curl', '-u', 'user:hunter2', 'https://h/']],
  [['curl', '--user', 'user:hunter2', 'https://h/']],
  [['curl', '--user=user:hunter2', 'https://h/']],
  [['curl', '-sSu', 'user:hunter2', 'https://h/']],
  [['curl', '-sSuuser:hunter2', 'https://h/']],
  [['curl', '-U', 'user:hunter2', '-x', 'proxy:3128', 'https://h/']],
  [['curl', '--proxy-user', 'user:hunter2', 'https://h/']],
  [['curl', '-x', 'user:hunter2@proxy:3128', 'https://h/']],
  [['curl', '--proxy=http://user:hunter2@proxy:3128', 'https://h/']],
  [['/usr/local/bin/tool', '-uuser:hunter2']],
  [['tool', '--user=user:hunter2']],
  [['etcdctl', '--user=root:hunter2', 'get', 'x']],
  [['http', '-a', 'user:hunter2', 'example.org']],
  [['ab', '-A', 'user:hunter2', 'http://h/']],
  [['lftp', '-u', 'user,hunter2', 'host']],
  [['smbclient', '-U', 'user%hunter2', '//h/share']],
  [['curl', '-E', 'client.crt:hunter2', 'https://h/']],
  // Headers
  [['curl', '-H', 'Authorization: Bearer hunter2', 'https://h/']],
  [['curl', '-HAuthorization: Bearer hunter2', 'https://h/']],
  [['curl', '-HAuthorization:hunter2', 'https://h/']],
  [['curl', '--header=X-Api-Key: hunter2', 'https://h/']],
  [['curl', '--header', 'Cookie: session=hunter2', 'https://h/']],
  [['curl', '-b', 'session=hunter2', 'https://h/']],
  [['curl', '-sHPRIVATE-TOKEN: hunter2', 'https://h/']],
  [['curl', '--oauth2-bearer', 'hunter2', 'https://h/']],
  [['wrk', '-H', 'Authorization: Basic hunter2', 'http://h/']],
  [['http', 'example.org', 'Authorization:hunter2']],
  [['wget', '--header=Authorization: token hunter2', 'https://h/']],
  [['git', '-c', 'http.extraHeader=Authorization: Basic hunter2', 'fetch']],
  // Variables
  [['env', 'PGPASSWORD=hunter2', 'psql', '-h', 'db']],
  [['env', 'MYSQL_PWD=hunter2', 'mysql']],
  [['env', 'SSHPASS=hunter2', 'sshpass', '-e', 'ssh', 'h']],
  [['docker', 'run', '-e', 'KEY=hunter2', 'image']],
  [['docker', 'run', '-eAPI_KEY=hunter2', 'image']],
  [['docker', 'run', '--env=DB_PASSWORD=hunter2', 'image']],
  [['docker', 'run', '--env', 'STRIPE_KEY=hunter2', 'image']],
  [['docker', 'build', '--build-arg', 'NPM_TOKEN=hunter2', '.']],
  [['env', 'AWS_SECRET_ACCESS_KEY=hunter2', 'aws', 's3', 'ls']],
  [['env', 'RESTIC_PASSWORD=hunter2', 'restic', 'backup']],
  [['env', 'SECRET_KEY_BASE64=hunter2', 'server']],
  [['env', 'TOKEN1=hunter2', 'server']],
  // Properties and fields
  [['java', '-Dpassword=hunter2', 'Main']],
  [['java', '-Dspring.datasource.password=hunter2', '-jar', 'a.jar']],
  [['java', '-Djavax.net.ssl.keyStorePassword=hunter2', 'Main']],
  [['java', '-DdbPassword=hunter2', 'Main']],
  [['gradle', '-PsigningPassword=hunter2', 'build']],
  [['helm', 'install', 'a', '--set', 'image=x,db.password=hunter2']],
  [['kubectl', 'create', 'secret', 'generic', 'x', '--from-literal=password=hunter2']],
  [['terraform', 'apply', '-var', 'db_password=hunter2']],
  [['mount', '-t', 'cifs', '-o', 'username=u,password=hunter2,uid=1000', '//h/s', '/mnt']],
  [['psql', 'host=db user=u password=hunter2 dbname=x']],
  [['app', 'Server=db;Database=x;User Id=u;Password=hunter2;']],
  [['curl', '-d', '{"user":"u","password":"hunter2"}', 'https://h/']],
  [['curl', '-d', 'user=u&password=hunter2', 'https://h/']],
  [['app', 'https://h/?access_token=hunter2&x=1']],
  [['app', 'https://h.blob.core.windows.net/c?sv=2020&sig=hunter2%3D']],
  [['aws', 'configure', 'set', 'aws_secret_access_key', 'hunter2']],
  [['npm', 'config', 'set', '//registry/:_authToken=hunter2']],
  [['app', '--Kestrel:Certificates:Default:Password=hunter2']],
  [['app', '/Kestrel:Certificates:Default:Password=hunter2']],
  [['app', '--Auth:ClientSecret=hunter2']],
  [['app', '--Auth:ClientSecret', 'hunter2']],
  [['app', '--Db:Password', 'hunter2', '--verbose']],
  [['java', '-jar', 'a.jar', '--spring.servers[0].password=hunter2']],
  [['java', '-Dusers[0].password=hunter2', 'Main']],
  [['app', '--users[0]:password', 'hunter2']],
  [['app', '--db:password=hunter2']],
  [['app', '--db/password=hunter2']],
  [['app', '--db+password=hunter2']],
  [['npm', 'publish', '--//registry.npmjs.org/:_authToken=hunter2']],
  [['curl', '-d', '{"user":"u","password": 47110815}', 'https://h/'], '47110815'],
  [['mysql', '-e', "CREATE USER 'u'@'%' IDENTIFIED BY 'hunter2'"]],
  [['mysql', '-e', 'alter user u identified with caching_sha2_password by "hunter2"; select 1']],
  [['psql', '-c', "ALTER ROLE u WITH LOGIN PASSWORD 'hunter2'"]],
  // Options
  [['server', '--password=hunter2']],
  [['server', '--password', 'hunter2']],
  [['server', '-password', 'hunter2']],
  [['server', '--password:hunter2']],
  [['server', '--dbPassword', 'hunter2']],
  [['server', '--client-secret=hunter2']],
  [['server', '--auth-token', 'hunter2']],
  [['keytool', '-list', '-storepass', 'hunter2', '-keypass', 'hunter2']],
  [['gpg', '--batch', '--passphrase', 'hunter2', '-d', 'f']],
  [['redis-server', '--requirepass', 'hunter2', '--masterauth', 'hunter2']],
  [['x11vnc', '-passwd', 'hunter2']],
  [['openssl', 'rsa', '-in', 'k', '-passin', 'pass:hunter2']],
  // Letters, by program
  [['mysql', '-uroot', '-phunter2', 'db']],
  [['mysqldump', '--password=hunter2', 'db']],
  [['mariadb-check', '-phunter2', 'db']],
  [['mongodump', '-u', 'u', '-p', 'hunter2']],
  [['mongosh', '-u', 'u', '-phunter2']],
  [['redis-cli', '-a', 'hunter2', 'get', 'x']],
  [['redis-cli', 'auth', 'hunter2']],
  [['redis-cli', 'AUTH', 'user', 'hunter2']],
  [['memtier_benchmark', '-s', 'cache', '-a', 'hunter2']],
  [['memtier_benchmark', '--authenticate=user:hunter2']],
  [['memtier_benchmark', '--authenticate', 'hunter2']],
  [['fortio', 'load', '-user', 'user:hunter2', 'http://h/']],
  [['fortio', 'load', '-user=user:hunter2', 'http://h/']],
  [['mysqlsh', 'user:hunter2@db:33060/shop', '--sql']],
  [['mysqlsh', '--uri', 'user:hunter2@db']],
  [['mysqlsh', '--uri=user:hunter2@db']],
  [['redis-cli', 'config', 'set', 'requirepass', 'hunter2']],
  [['sshpass', '-p', 'hunter2', 'ssh', 'h']],
  [['sshpass', '-phunter2', 'ssh', '-p22', 'h']],
  [['ldapsearch', '-x', '-D', 'cn=a', '-w', 'hunter2', '-b', 'dc=x']],
  [['sqlcmd', '-S', 'h', '-U', 'sa', '-P', 'hunter2']],
  [['sqlplus', 'scott/hunter2@db']],
  [['docker', 'login', '-u', 'u', '-p', 'hunter2', 'registry']],
  [['oc', 'login', '-u', 'u', '-p', 'hunter2']],
  [['mosquitto_pub', '-p', '1883', '-u', 'u', '-P', 'hunter2', '-t', 'a']],
  [['snmpwalk', '-v2c', '-c', 'hunter2', 'host']],
  [['ipmitool', '-H', 'host', '-U', 'u', '-P', 'hunter2', 'power', 'status']],
  [['7z', 'a', '-phunter2', 'a.7z', 'f']],
  [['zip', '-P', 'hunter2', 'a.zip', 'f']],
  [['xfreerdp', '/u:me', '/p:hunter2', '/v:host']],
  [['plink', '-ssh', '-pw', 'hunter2', 'u@h']],
  [['htpasswd', '-nb', 'user', 'hunter2']],
  [['rabbitmqctl', 'add_user', 'u', 'hunter2']],
  [['nmcli', 'dev', 'wifi', 'connect', 'net', 'password', 'hunter2']],
  [['vault', 'login', 'hunter2']],
  [['wpa_passphrase', 'net', 'hunter2']],
  [['useradd', '-m', '-p', 'hunter2', 'name']],
  [['swaks', '-ap', 'hunter2', '--to', 'a@b']],
  // Other forms
  [['tool', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'], 'ghp_'],
  [['tool', '--x=github_pat_11ABCDEFG0123456789_abcdefghij'], 'github_pat_'],
  [['tool', 'glpat-ABCdef123456ghiJKL78'], 'glpat-'],
  [['tool', 'AKIAIOSFODNN7EXAMPLE'], 'AKIA'],
  [['tool', ['xoxb', '263594206564', '2343594206574', 'FGqddMF8t08v8N7Oq4i57vs1'].join('-')], 'xoxb-'],
  [['tool', ['https://hooks.slack.com', 'services', 'T00', 'B00', 'XXXX'].join('/')], 'services'],
  [['tool', JWT], 'eyJ'],
  [['tool', `--data=${JWT}`], 'eyJ'],
  [['tool', PEM]],
  [['tool', '-----BEGIN OPENSSH PRIVATE KEY----- b3Blhunter2']],
  [['tool', 'AIzaSyA1234567890abcdefghijklmnopqrstuv'], 'AIza'],
  [['tool', ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_')], '4eC39'],
  [['tool', 'npm_abcdefghijklmnopqrstuvwxyz0123456789'], 'npm_'],
  [['tool', 'hf_abcdefghijklmnopqrstuvwxyzABCDEF'], 'hf_'],
  [['tool', 'postgres://me:hunter2@db/x']],
  [['tool', 'redis://:hunter2@cache:6379/0']],
  [['tool', 'amqp://me:p@hunter2@mq/']],
  [['tool', 'https://hunter2@github.com/o/r.git']],
  [['tool', 'me:hunter2@tcp(db:3306)/x']],
  [['tool', 'me:hunter2@/x']],
  [['tool', '-dsn=me:hunter2@(db:3306)/x']],
  // Commands within commands
  [['sh', '-c', 'curl -u a:hunter2 https://h/']],
  [['bash', '-lc', "mysql -uroot -p'hunter2' db < dump.sql"]],
  [['sh', '-c', 'PGPASSWORD=hunter2 psql -h db']],
  [['sh', '-c', 'export TOKEN="hunter2"; server']],
  [['ssh', 'host', 'sh -c \'curl -H "Authorization: Bearer hunter2" https://h/\'']],
  [['sudo', 'sh', '-c', 'echo hunter2 | sudo -S true']],
  [['timeout', '5', 'curl', '-u', 'a:hunter2', 'https://h/']],
  [['watch', 'redis-cli -a hunter2 info']],
  [['su', '-c', 'sshpass -p hunter2 ssh h', 'user']],
  [['find', '.', '-exec', 'curl', '-uuser:hunter2', '{}', ';']],
  [['xargs', '-n1', 'mysql', '-phunter2']],
  [['perf', 'record', '-F', '99', '--', 'server', '-u', 'a:hunter2']],
  [['strace', '-f', 'server', '-uuser:hunter2']],
  [['sudo', '-u', 'web', 'server', '--user', 'a:hunter2']],
  [['mysqladmin', '-u', 'root', 'password', 'hunter2']],
  [['tool', '--pw', 'hunter2']],
  [['tool', '--login', 'user:hunter2']],
  [['tool', 'X-Auth-Token: hunter2']],
  [['tool', '--auth-cred=user:hunter2']],
  [['env', 'GH_PAT=hunter2', 'gh', 'api']],
  // Programs without a table
  [['tool', '-p', 'hunter2']],
  [['/opt/site/bin/loader', '-h', 'db', '-p', 'p@ss-hunter2']],
  [['sudo', '/opt/loader', '-p', 'hunter2']],
  [['gradle', '-Pkey=hunter2', 'build']],
  [['tool', '--pin', '4711hunter2']],
  [['pkcs11-tool', '--login', '--pin=hunter2']],
  [['pkcs11-tool', '--so-pin', '31415926', '--list-objects'], '31415926'],
  [['env', 'CARD_PIN=hunter2', 'signer']],
  [['stunnel', 'key=hunter2']],
  [['socat', '-', 'openssl:h:443,cert=/etc/c.pem,key=/etc/hunter2.pem']],
  [['isql', 'dsn', 'user', 'hunter2']],
  [['isql', '-v', 'dsn', 'user', 'hunter2']],
  [['net', 'use', '\\\\host\\share', 'hunter2', '/user:me']],
  [['net.exe', 'use', 'Z:', '\\\\host\\share', '/user:me', 'hunter2']],
  [['net', 'use', '*', '\\\\host\\share', 'hunter2']],
  [['expect', '-c', 'spawn ssh h; expect "assword:"; send "hunter2\\r"; interact']],
  [['expect', '-c', 'spawn ssh h; send -- {hunter2}; interact']],
  [['expect', '-c', "exp_send -s 'hunter2\\n'"]],
  [['smbclient', '//h/share', 'hunter2', '-U', 'me']],
  [['mount.cifs', '//h/s', '/mnt', '-o', 'user=me%hunter2,uid=0']],
  [['openssl', 'passwd', '-6', '-salt', 'ab', 'hunter2']],
  [['dig', '-y', 'hmac-sha256:name:hunter2', 'example.org']],
  [['pdftk', 'a.pdf', 'input_pw', 'hunter2', 'output', 'b.pdf']],
  [['ngrok', 'config', 'add-authtoken', 'hunter2']],
  [['mc', 'alias', 'set', 's3', 'https://h', 'user', 'hunter2']],
  [['sh', '-c', 'echo me:hunter2 | sudo chpasswd']],
  [['sh', '-c', 'echo hunter2 | docker login -u me --password-stdin']],
  // Passwords that begin like an option
  [['tool', '--password', '-hunter2']],
  [['tool', '--password', '--hunter2!']],
  [['sshpass', '-p', '-hunter2', 'ssh', 'h']],
  [['tool', '--password=-hunter2']],
  [['sort', '-u', '--password', 'hunter2']],
  [['keytool', '-storepass', '-hunter2', '-list']],
  [['tool', '-p', '-hunter2']],
  [['tool', 'jdbc:oracle:thin:scott/hunter2@db:1521:x']],
];

/** Command lines without a secret, many of which look as if they had one. */
export const HARMLESS_LINES: readonly string[] = `
ssh -p22 host
ssh -p 2222 user@host uptime
ssh -o PasswordAuthentication=no -o StrictHostKeyChecking=yes host
scp -P 22 file user@host:/srv
sftp -P 22 user@host
nginx -p/srv/nginx -c conf/nginx.conf
nginx -p /srv/nginx -g "daemon off;"
nginx: worker process
nginx: master process /usr/sbin/nginx -g daemon on; master_process on;
postgres: 14/main: checkpointer
postgres: writer process
sshd: ada [priv]
mysqld --port=3306 --datadir=/var/lib/mysql --skip-name-resolve
mysql -u root -h db -P 3306 -p
mysql -uroot --port 3306 shop
mysql --password shop
psql -h db -p 5432 -U postgres -W shop
psql --password shop
psql --no-password -d shop
pg_dump -p 5432 --no-password shop
pg_dump postgres://me@db/shop
createdb -p 5433 -O owner shop
redis-server *:6379
redis-server /etc/redis/redis.conf --port 6379
redis-cli -h cache -p 6379 info
redis-benchmark -t set,get -n 100000 -q
mongod --auth --port 27017 --dbpath /var/lib/mongodb
mongo --port 27017 shop
docker run -p 8080:80 --name web nginx
docker run -u 1000:1000 -e PORT=80 -v /a:/b image
docker run --user www-data:www-data image
docker exec -it web sh
docker -H tcp://host:2375 ps
podman run --userns keep-id -p 80:80 image
kubectl -n prod get pods -l app=web
kubectl get secret db -o yaml
kubectl port-forward svc/web 8080:80
helm install web ./chart --set image.tag=1.2,replicas=3
tar -cpzf a.tgz dir
tar -xpf a.tar -C /srv
mkdir -p /srv/a/b
cp -pr a b
ps -p 4711 -o pid,cmd
ps -u ada:adm
perf record -F 99 -p 4711 -g -- sleep 10
perf stat -e cycles:u,instructions:u -p 4711
perf record -e cycles:ppp -u ada -a
strace -p 4711 -e trace=openat
lsof -p 4711 -i :80
nc -p 4000 -l
make -j8 -p install PREFIX=/usr
patch -p1 -i fix.diff
git log -p --author=ada
git clone ssh://git@github.com/o/r.git
git clone https://github.com/o/r.git
git config user.name Ada
git commit -m "remove the password prompt"
git grep -n password -- src
grep -rni token src
grep -H Authorization: access.log
grep -i id_rsa notes.txt
rg --no-heading "api[_-]key" .
sort -u -t: -k2 names.txt
sort --key=2,3n file
diff -u a:1 b:1
date -u +%H:%M
python -u app.py --port 8000
python -m http.server 8000 --bind 127.0.0.1
python3 train.py --max-tokens 512 --eos-token </s> --batch-size=8
node server.js --max-old-space-size=4096
node --inspect=127.0.0.1:9229 server.js
java -Xmx4g -XX:+UseG1GC -Dfile.encoding=UTF-8 -jar app.jar
java -Dserver.port=8080 -Duser.timezone=UTC Main
java -cp a.jar:b.jar com.example.TokenCounter
gunicorn -u www-data:www-data -b 0.0.0.0:8000 app:app
uwsgi --http :8000 --module app:app --uid www-data
chpst -u app:app ./server
ffmpeg -pass 1 -i in.mp4 -c:v libx264 out.mp4
x264 --pass 2 --bitrate 1000 -o out.mkv in.y4m
curl -sS -o out.html https://example.org/a?b=c
curl -H "Accept: application/json" -H "Content-Type: application/json" https://h/
curl -X POST -d a=1 -d b=2 http://127.0.0.1:8080/items
curl -u user https://h/
curl --compressed --max-time 5 -x proxy:3128 https://h/
curl -b cookies.txt -c cookies.txt https://h/
wget --user-agent=Mozilla/5.0 -q https://h/file
wrk -t4 -c64 -d30s -H "Host: shop" http://127.0.0.1:8080/
ab -n 1000 -c 10 -p post.json -T application/json http://h/
ldapsearch -x -H ldap://host:389 -b dc=example,dc=org
openssl s_client -connect host:443 -servername host
openssl enc -aes-256-cbc -pass file:/run/pass -in a -out b
gpg --batch --pinentry-mode loopback -d file
ansible-playbook --ask-pass site.yml
ansible-playbook -K --ask-become-pass -i hosts site.yml
journalctl -u nginx.service -f
systemctl restart mysql
sudo -u postgres psql -c "select 1"
su - postgres -c "vacuumdb --all"
sh -c "while :; do sleep 1; done"
bash -lc "cd /srv && npm ci && npm test"
sh -c "ls -la | sort -u > out.txt"
find . -name "*.pem" -print
ls -la /home/ada/.ssh
env PWD=/srv OLDPWD=/root LANG=C.UTF-8 ./run
env PORT=80 HOST=0.0.0.0 KEYBOARD=us MONKEY=1 ./server
env SORT_KEY=name PRIMARY_KEY=id CACHE_KEY=v1 ./report
Xorg :0 -seat seat0 -auth /var/run/lightdm/root/:0 vt7
php-fpm: pool www
haproxy -f /etc/haproxy/haproxy.cfg -p /run/haproxy.pid
memcached -m 64 -p 11211 -u memcache -l 127.0.0.1
rsync -az -e "ssh -p 2222" src/ host:/srv/
sysbench oltp_read_write --tables=4 --threads=8 run
vault status
tokei --sort lines src
passwd ada
server --token-count=3 --author=me --password-file=/run/secret --auth=basic
app --public-key=/etc/a.pub --key-type=ed25519 --cookie-jar=/tmp/jar
tool -p 8080:80 -p 127.0.0.1:8443:443/tcp
tool -p 22,80,1000-2000 host
tool -p ./plan -p ~/plan -p a/b
tool -p --verbose
iptables -A INPUT -p tcp --dport 22 -j ACCEPT
cargo test -p serde1 --lib
cargo build -p my-crate --release
npx -p typescript tsc
npm run build -- -p tsconfig.json
tsc -p tsconfig.build.json
bash -c "read -p name: x"
stress-ng --pin 0-3 --cpu 4
bench --pin 0,2,4 --pin-cpus 1
app --Logging:LogLevel:Default=Debug --Kestrel:Endpoints:Http:Url=http://0.0.0.0:5000
app --Logging:LogLevel:Default Debug --Db:Port 5432
java -Dservers[0].port=80 -Dusers[0].name=ada Main
npm config --//registry.npmjs.org/:always-auth=true
redis-cli -h auth -p 6379 hget auth
memtier_benchmark -s cache -p 6379 -P redis -t 4 -c 50 --ratio=1:10
fortio load -qps 100 -c 8 -t 30s http://h/
mysqlsh root@db:33060 --sql
mysqlsh --uri=root@db:33060/shop
docker run nginx:1.27@sha256:0123456789abcdef
curl -d "{'max_tokens': 4096, 'port': 12345, 'pin': 3}" http://h/
mysql -e "select 'password' from users where name = 'x'"
net use Z: \\\\\\\\host\\\\share /persistent:no
isql -S host -U sa -d master
expect login.exp host
x --compass north --bypass yes --passes 3 --monkey=see
`
  .trim()
  .split('\n');
