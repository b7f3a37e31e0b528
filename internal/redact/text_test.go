package redact

import (
	"strings"
	"testing"
)

func TestWhatIdentifiesOrGrantsIsReplaced(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"IPv4":                 {"dial tcp 10.42.0.7:443: connection refused", "dial tcp ip-1:443: connection refused"},
		"IPv4, twice":          {"10.42.0.7 -> 10.42.0.8 -> 10.42.0.7", "ip-1 -> ip-2 -> ip-1"},
		"network":              {"podCIDR: 10.42.0.0/24", "podCIDR: ip-1/24"},
		"end of sentence":      {"lost 192.168.1.10.", "lost ip-1."},
		"range":                {"range 10.0.0.1-10.0.0.9", "range ip-1-ip-2"},
		"public in URL":        {"http://8.8.8.8/x", "http://ip-1/x"},
		"IPv6":                 {"from [2001:db8::1]:443 and fd00::2", "from [ip-1]:443 and ip-2"},
		"one address":          {"10.0.0.1 ::ffff:10.0.0.1 2001:DB8::1 2001:db8:0::1", "ip-1 ip-1 ip-2 ip-2"},
		"pod's DNS name":       {"10-42-0-7.default.pod.cluster.local and 10.42.0.7", "ip-1.default.pod.cluster.local and ip-1"},
		"AWS' node":            {"node ip-10-0-1-2 is down", "node host-1 is down"},
		"reverse DNS":          {"lookup 7.0.42.10.in-addr.arpa", "lookup ip-1.in-addr.arpa"},
		"a server, no version": {"nameserver 10.0.0.53, ver 10.0.0.53", "nameserver ip-1, ver 10.0.0.53"},
		"MAC":                  {"eth0 52:54:00:ab:cd:ef up", "eth0 mac-1 up"},
		"MAC ends a sentence":  {"lost 52-54-00-ab-cd-ef. Now 5254.00ab.cdee.", "lost mac-1. Now mac-2."},
		"template in a Secret": {"kind: Secret\nstringData:\n  p: {{ .p }}\n", "kind: Secret\nstringData:\n  p: redacted\n"},
		"MAC of letters":       {"link/ether de:ad:be:ef:12:34 brd", "link/ether mac-1 brd"},
		"IPv6 of letters":      {"from fdaa:bbcc::dead", "from ip-1"},
		"curl's login":         {"curl -sk -u admin:hunter2 https://acme.com; curl --user 'joe:pw d' x", "curl -sk -u admin:password-1 https://host-1; curl --user 'joe:password-2 d' x"},
		"registry's login":     {`{"auths":{"r":{"auth":"ZG9ja2VyOmF1dGhwdw=="}}}`, `{"auths":{"r":{"auth":"token-1"}}}`},
		"mail":                 {"by jane.doe+k8s@acme.com.", "by mail-1."},
		"host":                 {"lookup db01.prod.acme.com on 10.43.0.10:53: no such host", "lookup host-1 on ip-1:53: no such host"},
		"host in URL":          {`Get "https://api.acme.de:6443/api?timeout=5s": EOF`, `Get "https://host-1:6443/api?timeout=5s": EOF`},
		"host by key":          {"msg=x host=web01 node=worker-3", "msg=x host=host-1 node=host-2"},
		"registry":             {`Pulling image "registry.acme.com/team/app:1.2.3"`, `Pulling image "host-1/team/app:1.2.3"`},
		"JWT":                  {"got eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.abc-DEF_1 now", "got token-1 now"},
		"bearer":               {"Authorization: Bearer abcdef0123456789", "Authorization: Bearer token-1"},
		"Go's headers":         {"map[Accept:[*/*] Authorization:[Bearer abcdef0123456789] X-Auth-Token:[q1w2e3r4t5]]", "map[Accept:[*/*] Authorization:[Bearer token-1] X-Auth-Token:[token-2]]"},
		"curl":                 {`curl -H "Authorization: Basic dXNlcjpwYXNz" https://acme.com`, `curl -H "Authorization: Basic token-1" https://host-1`},
		"cookie":               {"Cookie: sid=31d4d96e407aad42; b=2", "Cookie: token-1"},
		"URL's password":       {"postgres://app:s3cr3t@db.acme.com:5432/app", "postgres://token-1@host-1:5432/app"},
		"MySQL DSN":            {"dsn root:hunter2@tcp(db:3306)/app", "dsn root:password-1@tcp(db:3306)/app"},
		"query":                {"GET /x?token=abc123&page=2", "GET /x?token=token-1&page=2"},
		"environment":          {"DB_PASSWORD=hunter2 PORT=80", "DB_PASSWORD=password-1 PORT=80"},
		"quoted":               {`password="two words" user=joe`, `password="password-1" user=joe`},
		"flag":                 {"mysql --password hunter2 -h db", "mysql --password password-1 -h db"},
		"flag with =":          {"--admin-password=hunter2 --v=2", "--admin-password=password-1 --v=2"},
		"describe's node":      {"Node:         node1/10.0.0.5\nx", "Node:         host-1/ip-1\nx"},
		"describe's arguments": {"    Args:\n      --token\n      dflagtok111\n      --v\n", "    Args:\n      --token\n      password-1\n      --v\n"},
		"EnvVar":               {"{Name:API_TOKEN Value:gotok7 ValueFrom:nil}", "{Name:API_TOKEN Value:password-1 ValueFrom:nil}"},
		"arguments in a log":   {`args ["--token","Zm9vYmFyYmF6MTIz"] end`, `args ["--token","password-1"] end`},
		"Telegram":             {"/bot123456789:AAEabcdefghijklmnopqrstuvwxyz012345/sendMessage", "/token-1/sendMessage"},
		"prose":                {"using password: hunter2", "using password: password-1"},
		"JSON":                 {`{"user":"joe","password":"p\"w,d","n":1}`, `{"user":"joe","password":"password-1","n":1}`},
		"JSON number":          {`{"password":12345,"n":1}`, `{"password":"password-1","n":1}`},
		"JSON array":           {`{"tokens":3,"token":["a1b2c3","d4e5f6"]}`, `{"tokens":3,"token":["token-1","token-2"]}`},
		"JSON in JSON":         {`{"msg":"{\"clientSecret\":\"s3cr3t\",\"deep\":\"{\\\"password\\\":\\\"pw\\\"}\"}"}`, `{"msg":"{\"clientSecret\":\"password-1\",\"deep\":\"{\\\"password\\\":\\\"password-2\\\"}\"}"}`},
		"JSON behind text":     {`I0101 00:00:00.000000 1 x.go:1] Request Body: {"kind":"Secret","data":{"a":"YQ=="}}`, `I0101 00:00:00.000000 1 x.go:1] Request Body: {"kind":"Secret","data":{"a":"redacted"}}`},
		"secret, kind behind":  {`{"apiVersion":"v1","data":{"a":"YQ==","b":"Yg=="},"kind":"Secret"}`, `{"apiVersion":"v1","data":{"a":"redacted","b":"redacted"},"kind":"Secret"}`},
		"secret in annotation": {`{"metadata":{"annotations":{"last":"{\"data\":{\"a\":\"YQ==\"},\"kind\":\"Secret\"}\n"}}}`, `{"metadata":{"annotations":{"last":"{\"data\":{\"a\":\"redacted\"},\"kind\":\"Secret\"}\n"}}}`},
		"secret list":          {`{"kind":"SecretList","items":[{"metadata":{},"data":{"a":"YQ=="}}]}`, `{"kind":"SecretList","items":[{"metadata":{},"data":{"a":"redacted"}}]}`},
		"secret list, behind":  {`{"items":[{"data":{"a":"YQ=="}}],"kind":"SecretList"}`, `{"items":[{"data":{"a":"redacted"}}],"kind":"SecretList"}`},
		"audit patch":          {`{"kind":"Event","objectRef":{"resource":"secrets","name":"x"},"requestObject":{"data":{"a":"YQ=="}}}`, `{"kind":"Event","objectRef":{"resource":"secrets","name":"x"},"requestObject":{"data":{"a":"redacted"}}}`},
		"env in JSON":          {`{"env":[{"name":"API_TOKEN","value":"abc"},{"name":"PORT","value":"80"}]}`, `{"env":[{"name":"API_TOKEN","value":"password-1"},{"name":"PORT","value":"80"}]}`},
		"env, value first":     {`{"env":[{"value":"abc","name":"API_TOKEN"}]}`, `{"env":[{"value":"password-1","name":"API_TOKEN"}]}`},
		"env, name far behind": {`{"env":[{"value":"abc","valueFrom":null,"name":"API_TOKEN"},{"value":"80","x":1,"name":"PORT"}]}`, `{"env":[{"value":"password-1","valueFrom":null,"name":"API_TOKEN"},{"value":"80","x":1,"name":"PORT"}]}`},
		"refers behind":        {`{"kind":"Event","requestObject":{"data":{"a":"YQ=="}},"objectRef":{"resource":"secrets"}}`, `{"kind":"Event","requestObject":{"data":{"a":"redacted"}},"objectRef":{"resource":"secrets"}}`},
		"refers to others":     {`{"kind":"Event","requestObject":{"data":{"a":"b"}},"objectRef":{"resource":"configmaps"}}`, `{"kind":"Event","requestObject":{"data":{"a":"b"}},"objectRef":{"resource":"configmaps"}}`},
		"manifest in a log":    {"x: kind: Secret\nx: data:\nx:   a: YQ==\nx: type: Opaque\n", "x: kind: Secret\nx: data:\nx:   a: redacted\nx: type: Opaque\n"},
		"no Secret in a log":   {"x: kind: Secret\ny\nx: kind: ConfigMap\nx: data:\nx:   a: b\nx: kind: ConfigMap\n", "x: kind: Secret\ny\nx: kind: ConfigMap\nx: data:\nx:   a: b\nx: kind: ConfigMap\n"},
		"args in JSON":         {`{"args":["--password","abc","--v","2"]}`, `{"args":["--password","password-1","--v","2"]}`},
		"GitHub":               {"remote: ghp_abcdefghijklmnopqrstuvwxyz0123456789", "remote: token-1"},
		"OpenAI":               {"key sk-proj-Abcdefghijklmnop0123456789", "key token-1"},
		"AWS":                  {"id AKIAIOSFODNN7EXAMPLE used", "id token-1 used"},
		"k3s":                  {"K10aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa::server:0123456789abcdef", "token-1"},
		"bootstrap":            {"kubeadm join --token abc123.0123456789abcdef", "kubeadm join --token token-1"},
		"goroutine's labels":   {`goroutine 7 [select, 3 minutes] {queue: "a b", "n":"7"}:`, `goroutine 7 [select, 3 minutes] {queue: "word-1", "n":"7"}:`},
		"a query's key":        {"GET /x?key=abc12345 key=abc12345", "GET /x?key=token-1 key=abc12345"},
		"machine's id":         {"machineID: 0123456789abcdef0123456789abcdef", "machineID: machine-1"},
		"users in paths":       {`open /home/jane/.kube/config C:\Users\jane\x /home/runner/x GET /home/news/x`, `open /home/user-1/.kube/config C:\Users\user-1\x /home/runner/x GET /home/news/x`},
		"PEM":                  {"-----BEGIN CERTIFICATE-----\nMIIabc\ndef=\n-----END CERTIFICATE-----\nnext 10.0.0.1", "-----BEGIN CERTIFICATE-----\npem-1\npem-1\n-----END CERTIFICATE-----\nnext ip-1"},
		"PEM behind a prefix":  {"2026-01-01T00:00:00Z stderr F -----BEGIN RSA PRIVATE KEY-----\n2026-01-01T00:00:00Z stderr F MIIabcdef\n2026-01-01T00:00:00Z stderr F -----END RSA PRIVATE KEY-----", "2026-01-01T00:00:00Z stderr F -----BEGIN RSA PRIVATE KEY-----\n2026-01-01T00:00:00Z stderr F pem-1\n2026-01-01T00:00:00Z stderr F -----END RSA PRIVATE KEY-----"},
		"PEM in JSON":          {`{"pem":"-----BEGIN CERTIFICATE-----\nMIIabc\ndef=\n-----END CERTIFICATE-----\n"}`, `{"pem":"-----BEGIN CERTIFICATE-----\npem-1\n-----END CERTIFICATE-----\n"}`},
		"PEM in base64":        {"caBundle: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSQ==", "caBundle: pem-1"},
		"password hash":        {"root:$6$salt$abcdefghijklmnopqrstuvwxyz0123:18000", "root:password-1:18000"},
		"escapes":              {`"msg":"a\nghp_abcdefghijklmnopqrstuvwxyz0123456789\t10.0.0.1\nroot@acme.com %2F10.0.0.2 %3Ddb.acme.com"`, `"msg":"a\ntoken-1\tip-1\nmail-1 %2Fip-2 %3Dhost-1"`},
		"host's file":          {"open db01.acme.net.log.gz: denied; nodeName=edge07 /x/edge07.acme.net.log", "open host-1.log.gz: denied; nodeName=host-2 /x/host-3.log"},
		"host's file, learned": {"Nov 20 10:00:00 edge07 x[1]: /x/edge07.acme.net.log", "Nov 20 10:00:00 host-1 x[1]: /x/host-2.log"},
		"PEM in a URL":         {"data:,-----BEGIN%20CERTIFICATE-----%0AMIIabc%2B%0Adef%3D%0A-----END%20CERTIFICATE-----%0A x", "data:,-----BEGIN%20CERTIFICATE-----pem-1-----END%20CERTIFICATE-----%0A x"},
		"name of a member":     {"NAME-PENDING-147.75.195.53 unstarted", "NAME-PENDING-ip-1 unstarted"},
		"in a variable":        {"Nov 20 10:00:00 edge-07.acme.net x[1]: NODE_edge_07_acme_net_IP etcd-edge-07.acme.n", "Nov 20 10:00:00 host-1 x[1]: NODE_host-1_IP etcd-host-1"},
		"journal":              {"Aug 03 09:23:52 node1 kubelet[812]: node1 is up\nfoo node1 bar", "Aug 03 09:23:52 host-1 kubelet[812]: host-1 is up\nfoo host-1 bar"},
	} {
		t.Run(name, func(t *testing.T) {
			text := NewText(Options{})
			got := text.String(c.in)
			if got != c.want {
				t.Errorf("%s\n got %s\nwant %s", c.in, got, c.want)
			}
			if again := text.String(got); again != got {
				t.Errorf("redacted twice:\n%s\n%s", got, again)
			}
			if again := NewText(Options{}).String(got); again != got {
				t.Errorf("redacted twice, anew:\n%s\n%s", got, again)
			}
		})
	}
}

func TestWhatTriageNeedsStays(t *testing.T) {
	for _, line := range strings.Split(`goroutine 6139 gp=0xc000007880 m=nil [runnable, locked to thread]:
github.com/rancher/dynamiclistener.(*listener).WrapExpiration.func1()
	/go/src/github.com/rancher/rancher/vendor/github.com/rancher/dynamiclistener/listener.go:168 +0x2d fp=0xc00006afe0 sp=0xc00006af70 pc=0x4a1b2d
	/home/dev/go/pkg/mod/git.acme.com/team/app@v1.2.3/x.go:12 +0x445
git.acme.com/team/app/worker.(*Pool[...]).run(0xc000112000, {0x1, 0x2})
created by git.acme.com/team/app.Start in goroutine 1
net/http.(*conn).serve(0xc0001320a0, {0x7a8b90, 0xc00011e0f0})
gopkg.in/yaml%2ev2.(*parser).parse(0x1)
Chrome/91.0.4472.124 Safari/537.36
product/1.2.3.4 lib-1.2.3.4 v1.2.3.4 version 1.2.3.4 "version":"10.2.3.4"
oid 1.3.6.1.4.1.311 build: 4.18.0.305
rpm foo-1.2.3.4-5.el8
kernel 5.3.18-59.37-default k8s v1.21.7+rke2r1
listening on 127.0.0.1:8080, 0.0.0.0:443, [::]:9090, ::1 and localhost:6443
metadata http://169.254.169.254/latest
https://kubernetes.default.svc:443/api https://rancher.cattle-system.svc.cluster.local/healthz http://etcd:2379
Watching metadata for management.cattle.io/v3, Kind=Cluster
clusters.management.cattle.io "local" not found
2021-08-03T09:23:52.352042130Z stderr F msg
I0803 09:23:52.352042    1 leader_election.go:209] stopped leading
2021-08-03 09:23:52.352042 I | etcdserver: start
uid 3f0b6c1e-7d52-4c0a-9b1f-2a6d8e4c5b90 sha256:514b5bd41b36c20014cd237c8aa7eec548e02df0b5d289ae15385eb2a8c6eebf
image: docker.io/rancher/rancher:v2.6.4
label app.kubernetes.io/name=foo
invalid token: signature is invalid
refresh failed for token: 401 Unauthorized
	go.opencensus.io@v0.24.0/trace/trace.go:12 +0x1d
GET /api/v1/pods?limit=500&key=web-1&code=200 /var/home/x /mnt/home/data /home
failed to verify password: crypto/bcrypt: hashedPassword is not the hash
"Syncing" secret="kube-system/tls-rancher"
automountServiceAccountToken: true
--token-auth-file=/etc/kubernetes/token.csv
tokenExpirationSeconds: 3607
secretName: rancher-tls
GET /apis/widgets.acme.com/v1/namespaces/x/widgets /registry/widgets.acme.com/x team.acme.com/owner=web cd /go/src/git.acme.com/team/app
kubeConfigSecret: local-cluster
tlsSecret: rancher-tls
E0914 reflector.go:138] Failed to watch *v1.Secret: failed to list *v1.Secret: Get "https://localhost:6443": EOF
"Reconcile" secret="kube-system/x" err="expected host:port"
sudo: ALL=(ALL) NOPASSWD:ALL
csi driver ebs.csi.aws.com spec.resource.group status.relatedObjects.0.group http.request.host
spec.template.metadata.name
std::string ratio 1:2:3 time 15:34:00
SHA1 AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01
password: ""
      SMTP_PASSWORD:  <set to the key 'pw' in secret 'web'>  Optional: false
PWD=/home/dev
level=info msg="getting history for release mcc-local-managed-system-upgrade-controller"
basic authentication and Bearer authentication are fine
foo.sh main.rs status.conditions.type e.g. a.b.c`, "\n") {
		if got := NewText(Options{}).String(line); got != line {
			t.Errorf("harmed\n%s\n%s", line, got)
		}
	}
}

// What a copy of the copy would hide is hidden at once: a token's pseudonym before a colon is a key. A host's is none.
func TestATextIsReadAgainUntilNothingInItMoves(t *testing.T) {
	for in, want := range map[string]string{
		"AKIAABCDEFGHIJKLMNOP:a":           "token-1:token-2",
		"$6$salt$abcdefghijklmnopqrstu:80": "password-1:password-2",
		"x $6$salt$abcdefghijklmnopqrstu":  "x password-1",
		`{"web01.acme.com": "up"}`:         `{"host-1": "up"}`,
		"web01.acme.com:80 = up":           "host-1:80 = up",
		"password: &a ":                    "password: &a ",
		"Successfully assigned a/b to node-1\nSuccessfully assigned a/c to node-12\n": "Successfully assigned a/b to " +
			"host-1\nSuccessfully assigned a/c to host-2\n",
	} {
		if got := NewText(Options{}).String(in); got != want {
			t.Errorf("%q became %q", in, got)
		}
	}
}
