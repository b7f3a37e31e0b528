package secrets

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
)

// A context is a place in which a secret is written.
type context struct {
	name string
	ext  string // of the file: ".log", ".yaml", ".json"
	// plain contexts say nothing of what the value is: only shaped secrets count in them.
	plain bool
	// write returns the text and, where the secret is not in it as it is, what else must not survive.
	write func(r *rand.Rand, secret string) (text string, coded []string)
}

// format is a context whose text is made by one verb %s.
func format(name, ext, text string) context {
	return context{name: name, ext: ext, write: func(_ *rand.Rand, s string) (string, []string) {
		return strings.ReplaceAll(text, "%s", s), nil
	}}
}

func plainFormat(name, ext, text string) context {
	c := format(name, ext, text)
	c.plain = true
	return c
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// inner is s as it is inside a JSON string.
func inner(s string) string { q := quoted(s); return q[1 : len(q)-1] }

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// jsonContext writes the secret as JSON does.
func jsonContext(name, ext, text string) context {
	return context{name: name, ext: ext, write: func(_ *rand.Rand, s string) (string, []string) {
		return strings.ReplaceAll(text, "%s", inner(s)), []string{inner(s)}
	}}
}

// base64Context writes the secret as members of a Secret's data are.
func base64Context(name, ext, text string) context {
	return context{name: name, ext: ext, write: func(_ *rand.Rand, s string) (string, []string) {
		return strings.ReplaceAll(text, "%s", b64(s)), []string{b64(s)}
	}}
}

const stamp = "2026-11-20T18:05:32.123456789Z"

// podYAML is a Pod with room for lines of its container.
const podYAML = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-1\n  namespace: shop\nspec:\n  containers:\n  - name: web\n"

// logContexts are lines of logs and of shells.
func logContexts() []context {
	return []context{
		format("variable", ".log", "starting with DB_PASSWORD=%s PORT=80\n"),
		format("exported variable", ".sh", "export API_TOKEN=\"%s\"\nexport PORT=80\n"),
		format("shell trace", ".log", "+ export REDIS_PASSWORD=%s\n+ exec /app\n"),
		format("MYSQL_PWD", ".log", "env: MYSQL_PWD=%s HOME=/root\n"),
		format("PGPASSWORD", ".log", "PGPASSWORD=%s psql -h db -U app\n"),
		format("DB_PW", ".log", "DB_PW=%s DB_USER=app\n"),
		format("SECRET_KEY_BASE", ".log", "SECRET_KEY_BASE=%s RAILS_ENV=production\n"),
		format("AZURE_STORAGE_KEY", ".log", "AZURE_STORAGE_KEY=%s AZURE_STORAGE_ACCOUNT=shop\n"),
		format("logfmt", ".log", "time="+stamp+" level=info msg=connect user=app password=%s retries=3\n"),
		format("logfmt, quoted", ".log", "level=info msg=\"connect\" client_secret=\"%s\" n=1\n"),
		format("coloured logfmt", ".log", "\x1b[36mINFO\x1b[0m[0001] connect \x1b[36mpassword\x1b[0m=%s \x1b[36muser\x1b[0m=app\n"),
		format("klog", ".log", "I1120 18:05:32.123456       1 client.go:12] \"Connecting\" apiKey=\"%s\" attempt=2\n"),
		jsonContext("zap", ".log", `{"level":"info","ts":1763661932.12,"caller":"db/db.go:31","msg":"connect","password":"%s","user":"app"}`+"\n"),
		jsonContext("JSON in a JSON string", ".log", `{"level":"info","msg":"{\"clientSecret\":\"%s\",\"n\":1}"}`+"\n"),
		format("Go %+v", ".log", "config: {Host:db Port:5432 User:app Password:%s SSLMode:disable}\n"),
		{name: "Go %#v", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			q := strconv.Quote(s)
			return "config: main.Config{Host:\"db\", Password:" + q + ", Retries:3}\n", []string{q[1 : len(q)-1]}
		}},
		format("prose", ".log", "login failed using password: %s\n"),
		format("flag with =", ".log", "run: /app --admin-password=%s --v=2\n"),
		format("flag", ".log", "run: /app --admin-password %s --v 2\n"),
		format("mysql -p", ".log", "+ mysql -h db -u root -p%s -e 'select 1'\n"),
		format("sshpass -p", ".log", "+ sshpass -p %s ssh ops@db\n"),
		format("docker login -p", ".log", "+ docker login -u ci -p %s registry.example.org\n"),
		format("redis-cli -a", ".log", "+ redis-cli -h cache -a %s ping\n"),
		format("curl -u", ".log", "+ curl -sk -u admin:%s https://api.example.org/\n"),
		format("curl -H bearer", ".log", "+ curl -H \"Authorization: Bearer %s\" https://api.example.org/\n"),
		format("header", ".log", "> X-Auth-Token: %s\n> Accept: */*\n"),
		format("Go's headers", ".log", "headers: map[Accept:[*/*] Authorization:[Bearer %s] User-Agent:[curl]]\n"),
		format("cookie", ".log", "Cookie: sid=%s; theme=dark\n"),
		format("set-cookie", ".log", "Set-Cookie: session=%s; Path=/; HttpOnly\n"),
		{name: "basic auth", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			c := b64("admin:" + s)
			return "Authorization: Basic " + c + "\n", []string{c}
		}},
		{name: "URL's credentials", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.UserPassword("app", s).String()[len("app:"):]
			return "dial postgres://app:" + e + "@db.example.org:5432/shop\n", []string{e}
		}},
		{name: "URL's query", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.QueryEscape(s)
			return "GET /hook?token=" + e + "&page=2 200\n", []string{e}
		}},
		{name: "URI in an audit event", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.QueryEscape(s)
			return `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","requestURI":"/api/v1/x?access_token=` + e +
				`&watch=1","verb":"watch"}` + "\n", []string{e}
		}},
		format("MySQL DSN", ".log", "dsn app:%s@tcp(db:3306)/shop?parseTime=true\n"),
		format("connection string", ".log", "Server=db;Database=shop;User Id=app;Password=%s;Encrypt=true\n"),
		format("Azure connection string", ".log", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=%s;EndpointSuffix=core.windows.net\n"),
		format("SQL, identified by", ".log", "CREATE USER app IDENTIFIED BY '%s';\n"),
		format("SQL, password", ".log", "ALTER ROLE app WITH LOGIN PASSWORD '%s';\n"),
		{name: "XML", ext: ".xml", write: func(_ *rand.Rand, s string) (string, []string) {
			var b strings.Builder
			_ = xml.EscapeText(&b, []byte(s))
			return "<config>\n  <user>app</user>\n  <password>" + b.String() + "</password>\n</config>\n", []string{b.String()}
		}},
		format("digest authentication", ".log", "Authorization: Digest username=\"app\", realm=\"r\", uri=\"/\", response=\"%s\"\n"),
		format("docker json-file", ".log", `{"log":"starting with DB_PASSWORD=%s PORT=80\n","stream":"stdout","time":"`+stamp+`"}`+"\n"),
		format("CRI", ".log", stamp+" stderr F starting with DB_PASSWORD=%s PORT=80\n"),
		format("journal", ".log", "Nov 20 18:05:32 edge07 app[812]: starting with DB_PASSWORD=%s PORT=80\n"),
		{name: "journal, bytes", ext: ".json", write: func(_ *rand.Rand, s string) (string, []string) {
			list := decimals("DB_PASSWORD="+s, ",")
			return `{"PRIORITY":"6","_PID":"812","MESSAGE":[` + list + `]}` + "\n", []string{decimals(s, ",")}
		}},
		{name: "printed Secret", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			list := decimals(s, " ")
			return "got &Secret{ObjectMeta:{db  shop 4711},Data:map[string][]byte{password: [" + list + "],},Type:Opaque,}\n",
				[]string{list}
		}},
		{name: "printed Secret, %#v", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			var hex []string
			for _, c := range []byte(s) {
				hex = append(hex, fmt.Sprintf("0x%x", c))
			}
			list := strings.Join(hex, ", ")
			return `v1.Secret{Data:map[string][]uint8{"password":[]uint8{` + list + `}}, Type:"Opaque"}` + "\n", []string{list}
		}},
		plainFormat("a word of prose", ".log", "the value is %s today\n"),
		plainFormat("end of a line", ".log", "handing over to worker 3: %s\n"),
	}
}

// decimals are the bytes of s as numbers.
func decimals(s, between string) string {
	var parts []string
	for _, c := range []byte(s) {
		parts = append(parts, strconv.Itoa(int(c)))
	}
	return strings.Join(parts, between)
}

// objectContexts are Kubernetes objects and requests about them.
func objectContexts() []context {
	return []context{
		base64Context("Secret", ".yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  user-value: %s\ntype: Opaque\n"),
		format("Secret's stringData", ".yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  conf: '%s'\n"),
		base64Context("Secret, data first", ".yaml", "apiVersion: v1\ndata:\n  conf: %s\nkind: Secret\nmetadata:\n  name: db\n"),
		base64Context("Secret with comments", ".yaml", "apiVersion: v1\nkind: Secret # of the shop\nmetadata:\n  name: db\ndata: # encoded\n  conf: %s\n"),
		base64Context("Secret in flow style", ".yaml", "{apiVersion: v1, kind: Secret, metadata: {name: db}, data: {conf: %s}}\n"),
		base64Context("SecretList without kinds", ".yaml", "apiVersion: v1\nkind: SecretList\nitems:\n- metadata:\n    name: db\n  data:\n    conf: %s\n"),
		base64Context("Secret in a List", ".yaml", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  data:\n    conf: %s\n  kind: Secret\n  metadata:\n    name: db\n"),
		base64Context("Secret, quoted key", ".yaml", "apiVersion: v1\nkind: \"Secret\"\nmetadata:\n  name: db\n\"data\":\n  \"conf\": \"%s\"\n"),
		base64Context("Secret in JSON", ".json", `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"db"},"data":{"conf":"%s"}}`+"\n"),
		base64Context("SecretList in JSON", ".json", `{"apiVersion":"v1","kind":"SecretList","items":[{"metadata":{"name":"db"},"data":{"conf":"%s"}}]}`+"\n"),
		base64Context("last applied", ".yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {\"apiVersion\":\"v1\",\"data\":{\"conf\":\"%s\"},\"kind\":\"Secret\"}\n  name: db\n"),
		base64Context("audit, body", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"create","objectRef":{"resource":"secrets","namespace":"shop","name":"db"},"requestObject":{"kind":"Secret","apiVersion":"v1","data":{"conf":"%s"}}}`+"\n"),
		base64Context("audit, merge patch", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"patch","objectRef":{"resource":"secrets","namespace":"shop","name":"db"},"requestObject":{"data":{"conf":"%s"}}}`+"\n"),
		base64Context("audit, JSON patch", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"patch","objectRef":{"resource":"secrets","namespace":"shop","name":"db"},"requestObject":[{"op":"replace","path":"/data/conf","value":"%s"}]}`+"\n"),
		base64Context("manifest in a log", ".log", stamp+" stdout F applying:\n"+stamp+" stdout F apiVersion: v1\n"+stamp+" stdout F kind: Secret\n"+stamp+" stdout F data:\n"+stamp+" stdout F   conf: %s\n"),
		format("variable of a container", ".yaml", podYAML+"    env:\n    - name: API_TOKEN\n      value: '%s'\n"),
		format("variable, value first", ".yaml", podYAML+"    env:\n    - value: '%s'\n      name: API_TOKEN\n"),
		jsonContext("variable in JSON", ".json", `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"env":[{"name":"DB_PASSWORD","value":"%s"}]}]}}`+"\n"),
		format("argument", ".yaml", podYAML+"    args:\n    - --password\n    - '%s'\n"),
		format("argument with =", ".yaml", podYAML+"    args:\n    - '--client-secret=%s'\n"),
		jsonContext("arguments in JSON", ".json", `{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"args":["--password","%s","--v","2"]}]}}`+"\n"),
		jsonContext("ConfigMap with properties", ".json", `{"apiVersion":"v1","kind":"ConfigMap","data":{"app.properties":"user=app\nspring.datasource.password=%s\n"}}`+"\n"),
		format("ConfigMap with YAML", ".yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: app\ndata:\n  app.yaml: |\n    db:\n      user: app\n      password: '%s'\n"),
		{name: "cloud-init", ext: ".yaml", write: func(_ *rand.Rand, s string) (string, []string) {
			c := b64("#cloud-config\nchpasswd:\n  expire: false\npassword: " + s + "\n")
			return "apiVersion: cluster.x-k8s.io/v1\nkind: Machine\nspec:\n  userData: " + c + "\n", []string{c}
		}},
		{name: "ignition", ext: ".json", write: func(_ *rand.Rand, s string) (string, []string) {
			c := b64("password: " + s + "\n")
			return `{"ignition":{"version":"3.2.0"},"storage":{"files":[{"path":"/etc/app.conf","contents":{"source":"data:text/plain;charset=utf-8;base64,` + c + `"}}]}}` + "\n", []string{c}
		}},
	}
}

// fileContexts are configuration files.
func fileContexts() []context {
	return []context{
		format("YAML", ".yaml", "db:\n  user: app\n  password: %s\n"),
		format("YAML, quoted", ".yaml", "db:\n  user: app\n  password: '%s'\n"),
		format("YAML, next line", ".yaml", "db:\n  password:\n    '%s'\n  user: app\n"),
		format("YAML, anchor", ".yaml", "db:\n  password: &pw '%s'\n  again: *pw\n"),
		format("YAML, block", ".yaml", "db:\n  password: |\n    %s\n  user: app\n"),
		format("YAML, flow", ".yaml", "db: {user: app, password: '%s', port: 5432}\n"),
		format("YAML, list below", ".yaml", "db:\n  passwords:\n  - '%s'\n  user: app\n"),
		jsonContext("JSON", ".json", `{"db":{"user":"app","password":"%s","port":5432}}`+"\n"),
		jsonContext("JSON, list", ".json", `{"db":{"user":"app","passwords":["%s","x"],"port":5432}}`+"\n"),
		format("properties", ".properties", "db.user=app\nspring.datasource.password=%s\n"),
		format("ini", ".ini", "[db]\nuser = app\npassword = %s\n"),
		format("toml", ".toml", "[db]\nuser = \"app\"\npassword = \"%s\"\n"),
		format("lower-case client_secret", ".env", "client_id=4711\nclient_secret=%s\n"),
		format("kubeconfig", ".yaml", "apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    token: %s\n"),
		{name: "docker's config", ext: ".json", write: func(_ *rand.Rand, s string) (string, []string) {
			c := b64("ci:" + s)
			return `{"auths":{"registry.example.org":{"auth":"` + c + `"}}}` + "\n", []string{c}
		}},
		format("netrc", ".netrc", "machine api.example.org login app password %s\n"),
		format("pgpass", ".pgpass", "db.example.org:5432:shop:app:%s\n"),
		format("Dockerfile", ".txt", "FROM scratch\nENV APP_PASSWORD=%s\n"),
		format("terraform", ".tfvars", "region = \"eu\"\ndb_password = \"%s\"\n"),
		format("helm --set", ".log", "+ helm upgrade shop ./chart --set auth.password=%s --set replicas=3\n"),
	}
}
