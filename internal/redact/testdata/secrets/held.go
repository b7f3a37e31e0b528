package secrets

import (
	"math/rand/v2"
	"net/url"
	"strings"
)

// heldContexts were written after the detectors that Samples measures, and the detectors without them: what they show is
// how much of the rest of the world a copy hides.
func heldContexts() []context {
	inURL := func(name, text string) context {
		return context{name: name, ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.UserPassword("u", s).String()[len("u:"):]
			return strings.ReplaceAll(text, "%s", e), []string{e}
		}}
	}
	return []context{
		format("X-Api-Key", ".log", "> X-Api-Key: %s\n"),
		format("Spring's variable", ".log", "SPRING_DATASOURCE_PASSWORD=%s SPRING_PROFILES_ACTIVE=prod\n"),
		format("kubectl create secret", ".log", "+ kubectl create secret generic db --from-literal=password=%s -n shop\n"),
		format("AWS variable", ".log", "AWS_SECRET_ACCESS_KEY=%s AWS_REGION=eu-west-1\n"),
		format("AWS credentials", ".ini", "[default]\naws_access_key_id = x\naws_secret_access_key = %s\n"),
		inURL("MongoDB URI", "MONGO_URI=mongodb+srv://app:%s@cluster0.example.org/shop\n"),
		inURL("AMQP URL", "connecting to amqp://app:%s@mq:5672/\n"),
		inURL("Redis URL", "REDIS_URL=redis://:%s@cache:6379/0\n"),
		inURL("git remote", "fatal: unable to access 'https://oauth2:%s@gitlab.example.org/shop.git/'\n"),
		{name: "JDBC", ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.QueryEscape(s)
			return "url=jdbc:postgresql://db/shop?user=app&password=" + e + "&ssl=true\n", []string{e}
		}},
		format("compose, mapping", ".yaml", "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: '%s'\n      POSTGRES_USER: app\n"),
		format("compose, list", ".yaml", "services:\n  db:\n    environment:\n    - POSTGRES_USER=app\n    - 'POSTGRES_PASSWORD=%s'\n"),
		format("helm values", ".yaml", "auth:\n  rootPassword: '%s'\n  database: shop\n"),
		format("Java toString", ".log", "Config{user='app', password='%s', retries=3}\n"),
		format("Python dict", ".log", "connect {'user': 'app', 'password': '%s', 'port': 5432}\n"),
		format("Ruby hash", ".log", "connect {:user=>\"app\", :password=>\"%s\", :port=>5432}\n"),
		format("PHP array", ".txt", "return [\n  'user' => 'app',\n  'password' => '%s',\n];\n"),
		format("wget", ".log", "+ wget --http-user=app --http-password=%s https://api.example.org/x\n"),
		format("ldapsearch", ".log", "+ ldapsearch -x -D cn=admin -w %s -b dc=example\n"),
		format("openssl", ".log", "+ openssl rsa -in key.pem -passin pass:%s -out plain.pem\n"),
		format("psql's string", ".log", "+ psql \"host=db user=app password=%s dbname=shop\"\n"),
		format("JAAS", ".log", "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username=\"app\" password=\"%s\";\n"),
		jsonContext("JSON, dbPass", ".log", `{"level":"debug","cfg":{"dbUser":"app","dbPass":"%s"}}`+"\n"),
		jsonContext("JSON, headers", ".log", `{"msg":"request","headers":{"Authorization":["Bearer %s"],"Accept":["*/*"]}}`+"\n"),
		format("systemd unit", ".service", "[Service]\nEnvironment=\"DB_PASSWORD=%s\"\nExecStart=/app\n"),
		format("kubeadm", ".log", "+ kubeadm join 10.0.0.1:6443 --control-plane --certificate-key %s\n"),
		format("encryption at rest", ".yaml", "kind: EncryptionConfiguration\nresources:\n- providers:\n  - aescbc:\n      keys:\n      - name: key1\n        secret: %s\n"),
		format("WireGuard", ".conf", "[Interface]\nAddress = 10.9.0.2/24\nPrivateKey = %s\n"),
		format("Grafana", ".ini", "[security]\nadmin_user = admin\nadmin_password = %s\n"),
		format("PowerShell", ".log", "$env:DB_PASSWORD = \"%s\"\n"),
		format("vault login", ".log", "+ vault login -method=userpass username=app password=%s\n"),
		format("logrus, nested", ".log", "time=\"2026-11-20T18:05:32Z\" level=debug msg=\"cfg: {\\\"apiKey\\\":\\\"%s\\\"}\"\n"),
	}
}

// HeldSamples returns files of contexts that Samples has not.
func HeldSamples(seed uint64) []Sample {
	r := rand.New(rand.NewPCG(seed, 44))
	return keyed(r, heldContexts())
}
