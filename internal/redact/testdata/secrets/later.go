package secrets

import (
	"math/rand/v2"
	"net/url"
	"strings"
)

// laterContexts were written after those of Samples and HeldSamples were hidden: files and commands of tools that neither
// has.
func laterContexts() []context {
	query := func(name, text string) context {
		return context{name: name, ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.QueryEscape(s)
			return strings.ReplaceAll(text, "%s", e), []string{e}
		}}
	}
	return []context{
		format("Terraform variables", ".tfvars", "region      = \"eu-west-1\"\ndb_password = \"%s\"\n"),
		format("Dockerfile", ".txt", "FROM alpine\nENV DB_PASSWORD %s\nCMD [\"/app\"]\n"),
		format("docker history", ".log", "<missing>  2 weeks ago  /bin/sh -c #(nop)  ENV DB_PASSWORD=%s  0B\n"),
		format("npmrc", ".txt", "registry=https://registry.example.org/\n//registry.example.org/:_authToken=%s\n"),
		format("netrc over lines", ".txt", "machine git.example.org\n  login app\n  password %s\n"),
		jsonContext("kubectl patch", ".log", "+ kubectl -n shop patch secret db -p '{\"stringData\":{\"password\":\"%s\"}}'\n"),
		format("kubectl set env", ".log", "+ kubectl set env deploy/web API_TOKEN=%s LOG=debug\n"),
		format("helm --set", ".log", "+ helm upgrade web ./chart --set auth.password=%s --set replicas=2\n"),
		format("Ansible inventory", ".ini", "[db]\ndb1 ansible_user=ops ansible_ssh_pass='%s' ansible_port=22\n"),
		format("Ansible variables", ".yml", "db_user: app\nansible_become_pass: '%s'\n"),
		format("curl --user", ".log", "+ curl -s --user admin:%s https://api.example.org/x\n"),
		format("Vault's header", ".log", "+ curl -H 'X-Vault-Token: %s' https://vault.example.org/v1/x\n"),
		format("variable in quotes", ".sh", "export SMTP_PASS='%s'\nexport SMTP_HOST=mail\n"),
		format("Redis configuration", ".conf", "port 6379\nrequirepass %s\nmaxmemory 1gb\n"),
		format("MongoDB shell", ".log", "db.createUser({user: \"app\", pwd: \"%s\", roles: []})\n"),
		format("sqlcmd", ".log", "+ sqlcmd -S db -U sa -P %s -Q 'select 1'\n"),
		format("Java's properties", ".log", "java -Djavax.net.ssl.trustStorePassword=%s -Xmx1g -jar app.jar\n"),
		format("properties with colons", ".properties", "db.user : app\ndb.password : %s\n"),
		jsonContext("container's variables", ".json", `{"env":[{"name":"DB_PASSWORD","value":"%s"},{"name":"PORT","value":"80"}]}`+"\n"),
		jsonContext("docker inspect", ".json", `[{"Config":{"Env":["DB_PASSWORD=%s","PATH=/bin"],"Image":"web"}}]`+"\n"),
		jsonContext("crictl inspect", ".json", `{"info":{"config":{"envs":[{"key":"DB_PASSWORD","value":"%s"}]}}}`+"\n"),
		format("ps", ".log", "root       812  0.0  0.1 712344 11432 ?  Ssl  18:05  0:00 /app --db-password %s --port 80\n"),
		format("YAML, next line", ".yaml", "auth:\n  password:\n    %s\n  user: app\n"),
		format("YAML in a log, next line", ".log", "loaded:\nauth:\n  password:\n    %s\n  user: app\n"),
		format("YAML in a log, anchor", ".log", "loaded:\nauth:\n  password: &pw %s\n  user: app\n"),
		format("YAML in a log, folded", ".log", "loaded:\nauth:\n  password: >-\n    %s\n  user: app\n"),
		format("GraphQL", ".log", "mutation { login(user: \"app\", password: \"%s\") { id } }\n"),
		query("OAuth's fragment", "redirect to https://app.example.org/cb#access_token=%s&token_type=bearer\n"),
		format("gRPC metadata", ".log", "metadata: map[:authority:[web] authorization:[Bearer %s] user-agent:[grpc-go]]\n"),
		format("kubeconfig", ".yaml", "apiVersion: v1\nkind: Config\nusers:\n- name: ops\n  user:\n    token: %s\n"),
		jsonContext("journal's command line", ".json", `{"_PID":"812","_CMDLINE":"/app --token=%s --v=2","MESSAGE":"ready"}`+"\n"),
		format("digest with a nonce", ".log", "Authorization: Digest username=\"app\", realm=\"r\", nonce=\"abc\", uri=\"/\", qop=auth, response=\"%s\"\n"),
	}
}

// LaterContexts is how many contexts LaterSamples has.
func LaterContexts() int { return len(laterContexts()) }

// LaterSamples returns files of contexts that neither Samples nor HeldSamples has.
func LaterSamples(seed uint64) []Sample {
	r := rand.New(rand.NewPCG(seed, 45))
	return keyed(r, laterContexts())
}
