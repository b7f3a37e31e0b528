package secrets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// AssumedSamples returns files with what people assume to be gone from a copy: ids of machines, names of users in paths,
// tokens of many issuers, credentials in the forms of tools, drivers and debug logs.
func AssumedSamples(seed uint64) []Sample {
	r := rand.New(rand.NewPCG(seed, 46))
	all := keyed(r, assumedContexts())
	for _, v := range vendorTokens() {
		for _, c := range vendorContexts() {
			token := v.make(r)
			all = append(all, sample(len(all), v.name, c.name, c.ext, strings.ReplaceAll(c.text, "%s", token), token))
		}
	}
	for _, f := range assumedIdentities() {
		for _, c := range f.contexts {
			for range 3 {
				v := f.make(r)
				all = append(all, sample(len(all), f.name, c.name, c.ext, strings.ReplaceAll(c.text, "%s", v), v))
			}
		}
	}
	return all
}

// AssumedContexts is how many contexts AssumedSamples has.
func AssumedContexts() int {
	n := len(assumedContexts()) + len(vendorContexts())
	for _, f := range assumedIdentities() {
		n += len(f.contexts)
	}
	return n
}

func zipped64(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// assumedContexts are places of secrets of any family.
func assumedContexts() []context {
	escaped := func(name, text string) context {
		return context{name: name, ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.UserPassword("u", s).String()[len("u:"):]
			return strings.ReplaceAll(text, "%s", e), []string{e}
		}}
	}
	query := func(name, text string) context {
		return context{name: name, ext: ".log", write: func(_ *rand.Rand, s string) (string, []string) {
			e := url.QueryEscape(s)
			return strings.ReplaceAll(text, "%s", e), []string{e}
		}}
	}
	coded := func(name, ext, text string, code func(string) string) context {
		return context{name: name, ext: ext, write: func(_ *rand.Rand, s string) (string, []string) {
			c := code(s)
			return strings.ReplaceAll(text, "%s", c), []string{c}
		}}
	}
	release := func(s string) string {
		return zipped64(`{"name":"web","config":{"auth":{"password":"` + inner(s) + `"}},"version":3}`)
	}
	return []context{
		format("logfmt, two words", ".log", "level=info msg=connect client_secret: \"%s abc\" n=1\n"),
		format("text, quoted behind a colon", ".log", "time=x level=warn msg=\"login\" password: \"%s and more\" user=app\n"),
		format("lower-case secret", ".log", "level=info msg=hook secret: %s retries=3\n"),
		query("query, sig", "PUT https://blob.example.org/b/c?sv=2024-01-01&sig=%s&se=2026 201\n"),
		query("query, X-Amz-Signature", "GET https://s3.example.org/b/k?X-Amz-Algorithm=AWS4&X-Amz-Signature=%s 200\n"),
		query("query, X-Amz-Credential", "GET https://s3.example.org/b/k?X-Amz-Credential=%s&X-Amz-Date=20261120T180532Z 200\n"),
		query("query, X-Goog-Signature", "GET https://storage.example.org/b/k?X-Goog-Signature=%s&x=1 200\n"),
		query("query, apikey", "GET https://maps.example.org/v1?q=x&apikey=%s 200\n"),
		query("query, api_key", "GET /v1/items?api_key=%s&limit=2 HTTP/1.1\n"),
		query("query, key", "GET https://maps.example.org/v1?key=%s&q=berlin 200\n"),
		query("query, code", "GET /oauth/callback?code=%s&state=1 302\n"),
		query("query, id_token", "GET /cb?id_token=%s&x=1 302\n"),
		query("query, session", "GET /ws?sid=%s&transport=polling 101\n"),
		query("query, password", "GET /login?user=app&passwd=%s 200\n"),
		format("cookie in JSON", ".log", `{"msg":"request","headers":{"cookie":"sid=%s; theme=dark"}}`+"\n"),
		format("cookie in Go's headers", ".log", "headers: map[Accept:[*/*] Cookie:[session=%s; lang=en]]\n"),
		format("set-cookie in Go's headers", ".log", "map[Set-Cookie:[JSESSIONID=%s; Path=/; HttpOnly] X:[1]]\n"),
		format("cookie of curl -b", ".log", "+ curl -b 'session=%s' https://api.example.org/\n"),
		format("cookie, JSESSIONID", ".log", "forwarding JSESSIONID=%s to worker\n"),
		format("http2, header", ".log", "2026/11/20 18:05:32 http2: Transport encoding header \"authorization\" = \"Bearer %s\"\n"),
		format("http2, decoded", ".log", "2026/11/20 18:05:32 http2: decoded hpack field header field \"authorization\" = \"Bearer %s\"\n"),
		format("http2, cookie", ".log", "2026/11/20 18:05:32 http2: server encoding header \"cookie\" = \"sid=%s\"\n"),
		format("http2, token", ".log", "2026/11/20 18:05:32 http2: decoded hpack field header field \"x-auth-token\" = \"%s\"\n"),
		format("curl -v", ".log", "> authorization: Bearer %s\n> accept: */*\n"),
		format("klog, request headers", ".log", "I1120 18:05:32.123456       1 round_trippers.go:463]     Authorization: Bearer %s\n"),
		coded("basic in http2", ".log", "http2: Transport encoding header \"authorization\" = \"Basic %s\"\n", func(s string) string { return b64("app:" + s) }),
		coded("proxy's basic", ".log", "Proxy-Authorization: Basic %s\n", func(s string) string { return b64("app:" + s) }),
		escaped("URL, basic", "GET https://app:%s@repo.example.org/x.git\n"),
		escaped("proxy variable", "HTTPS_PROXY=http://app:%s@proxy.example.org:3128 NO_PROXY=10.0.0.0/8\n"),
		escaped("pip's index", "+ pip install --index-url https://ci:%s@pypi.example.org/simple web\n"),
		escaped("git-credentials", "https://ci:%s@git.example.org\n"),
		escaped("GOPROXY", "GOPROXY=https://ci:%s@goproxy.example.org,direct\n"),
		escaped("postgres URL", "connect postgresql://app:%s@db:5432/shop?sslmode=disable failed\n"),
		escaped("SQL Server URL", "connect sqlserver://sa:%s@db:1433?database=shop failed\n"),
		escaped("Oracle URL", "connect oracle://app:%s@db:1521/shop failed\n"),
		escaped("ClickHouse URL", "connect clickhouse://app:%s@db:9000/shop failed\n"),
		query("ClickHouse, query", "connect tcp://db:9000?username=app&password=%s&database=shop failed\n"),
		format("libpq, keywords", ".log", "connect host=db port=5432 user=app password=%s dbname=shop failed\n"),
		format("libpq, quoted", ".log", "connect host=db user=app password='%s' dbname=shop failed\n"),
		format("MySQL, unix", ".log", "dsn app:%s@unix(/run/mysqld.sock)/shop\n"),
		format("MySQL, no protocol", ".log", "dsn app:%s@/shop?parseTime=true\n"),
		format("MySQL, address only", ".log", "dsn app:%s@(db:3306)/shop\n"),
		format("godror", ".log", "dsn user=\"app\" password=\"%s\" connectString=\"db:1521/shop\"\n"),
		format("SQL Server, ADO", ".log", "dsn server=db;user id=sa;password=%s;database=shop\n"),
		format("SQL Server, Pwd", ".log", "dsn Server=db;Uid=sa;Pwd=%s;Database=shop\n"),
		format(".env", ".env", "APP_NAME=shop\nSTRIPE_KEY=%s\nAPP_DEBUG=false\n"),
		format(".env, quoted", ".env", "APP_NAME=shop\nJWT_SECRET='%s'\nAPP_DEBUG=false\n"),
		format(".env, APP_KEY", ".env", "APP_NAME=shop\nAPP_KEY=%s\n"),
		format(".env, salt", ".env", "APP_NAME=shop\nHASH_SALT=%s\n"),
		format("npmrc, _auth", ".npmrc", "registry=https://npm.example.org/\n_auth=%s\n"),
		format("npmrc, _password", ".npmrc", "//npm.example.org/:_password=\"%s\"\n"),
		format("pypirc", ".pypirc", "[pypi]\nusername = __token__\npassword = %s\n"),
		format("Maven", ".xml", "<server><id>repo</id><username>ci</username><passphrase>%s</passphrase></server>\n"),
		format("Gradle", ".properties", "artifactory_user=ci\nartifactory_password=%s\n"),
		format("helm repo add", ".log", "+ helm repo add shop https://charts.example.org --username ci --password %s\n"),
		format("skopeo --creds", ".log", "+ skopeo copy --src-creds ci:%s docker://r.example.org/web oci:web\n"),
		format("crictl --creds", ".log", "+ crictl pull --creds ci:%s r.example.org/web\n"),
		format("containerd, hosts", ".toml", "[plugins.cri.registry.configs.\"r.example.org\".auth]\n  username = \"ci\"\n  password = \"%s\"\n"),
		coded("dockerconfigjson", ".yaml", "kind: X\nvalue:\n  .dockerconfigjson: %s\n", func(s string) string {
			return b64(`{"auths":{"r.example.org":{"auth":"` + b64("ci:"+s) + `"}}}`)
		}),
		coded("docker config in base64", ".log", "writing eyJhdXRocyI6 as %s done\n", func(s string) string {
			return b64(`{"auths": {"r.example.org":{"username":"ci","password":"` + inner(s) + `"}}}`)
		}),
		format("composer's auth", ".json", `{"http-basic":{"repo.example.org":{"username":"ci","password":"%s"}}}`+"\n"),
		coded("Helm release", ".log", "release: %s\n", release),
		coded("Helm release, twice", ".log", "release %s end\n", func(s string) string { return b64(release(s)) }),
		coded("cloud-init, gzip", ".yaml", "kind: Machine\nspec:\n  userData: %s\n", func(s string) string {
			return zipped64("#cloud-config\npassword: " + s + "\n")
		}),
		format("cloud-init", ".yaml", "#cloud-config\nusers:\n- name: ops\n  plain_text_passwd: '%s'\n"),
		format("cloud-init, chpasswd", ".yaml", "#cloud-config\nchpasswd:\n  list: |\n    root:%s\n  expire: false\n"),
		format("kubeconfig, exec", ".yaml", "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    exec:\n      env:\n      - name: OIDC_TOKEN\n        value: '%s'\n"),
		format("kubeconfig, provider", ".yaml", "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    auth-provider:\n      config:\n        refresh-token: '%s'\n"),
		format("kubeconfig, password", ".yaml", "apiVersion: v1\nkind: Config\nusers:\n- name: a\n  user:\n    password: '%s'\n    username: a\n"),
		format("goroutine's labels", ".log", "goroutine 7 [select, 3 minutes] {\"session\":\"%s\"}:\nmain.run()\n\t/src/main.go:3 +0x1d\n"),
		format("panic's text", ".log", "panic: dial app:%s@tcp(db:3306)/shop: refused\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1d\n"),
		format("panic's struct", ".log", "panic: main.Config{User:\"app\", Password:\"%s\"}\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:3 +0x1d\n"),
		format("profile's labels", ".txt", "goroutine profile: total 1\n1 @ 0x1\n# labels: {\"session\":\"%s\"}\n#\t0x1\tmain.run+0x1\t/src/main.go:3\n"),
	}
}

// vendorContexts say nothing of what their value is.
func vendorContexts() []template {
	return []template{
		{"a word of prose", ".log", "the value is %s today\n"},
		{"quoted", ".log", "using \"%s\" now\n"},
		{"YAML", ".yaml", "x:\n- %s\n"},
	}
}

// vendorTokens are shaped as their issuers document them for scanners. The list follows that of the rules of gitleaks
// (MIT), config/gitleaks.toml of v8.30, as far as its rules go by a beginning.
func vendorTokens() []family {
	const hexes = digits + "abcdef"
	mixed := digits + lower
	var all []family
	add := func(name string, makers ...func(*rand.Rand) string) {
		all = append(all, family{name, true, oneOf(makers...)})
	}
	add("adobe-client-secret", fixed("p8e-", mixed, 32))
	add("alibaba-access-key-id", fixed("LTAI", alnum, 20))
	add("anthropic", fixed("sk-ant-admin01-", alnum+"-_", 93))
	add("artifactory-api-key", fixed("AKCp", alnum, 69))
	add("artifactory-reference-token", fixed("cmVmdGtuOjAxOj", alnum, 50))
	add("atlassian-api-token", fixed("ATATT3", alnum+"_-=", 186))
	add("azure-ad-client-secret", func(r *rand.Rand) string { return pick(r, alnum, 3) + "8Q~" + pick(r, alnum+"_~.-", 33) + "x" })
	add("bitbucket-app-password", fixed("ATBB", alnum, 32))
	add("buildkite", fixed("bkua_", hexes, 40))
	add("circleci", fixed("CCIPAT_", alnum, 22))
	add("clojars-api-token", fixed("CLOJARS_", mixed, 60))
	add("cloudflare-origin-ca-key", func(r *rand.Rand) string { return "v1.0-" + pick(r, hexes, 24) + "-" + pick(r, hexes, 146) })
	add("contentful", fixed("CFPAT-", alnum+"-_", 43))
	add("databricks-api-token", fixed("dapi", hexes, 32))
	add("digitalocean", fixed("dop_v1_", hexes, 64), fixed("doo_v1_", hexes, 64), fixed("dor_v1_", hexes, 64))
	add("doppler-api-token", fixed("dp.pt.", alnum, 43))
	add("duffel-api-token", fixed("duffel_live_", alnum+"_-", 43))
	add("dynatrace-api-token", func(r *rand.Rand) string {
		return "dt0c01." + pick(r, digits+upper, 24) + "." + pick(r, digits+upper, 64)
	})
	add("easypost-api-token", fixed("EZAK", alnum, 54), fixed("EZTK", alnum, 54))
	add("facebook-page-access-token", fixed("EAAC", alnum, 120))
	add("figma", fixed("figd_", alnum+"-_", 40))
	add("flutterwave", fixed("FLWSECK_TEST-", hexes, 32))
	add("flyio-access-token", fixed("fo1_", alnum+"_-", 43), fixed("fm2_", alnum, 120))
	add("frameio-api-token", fixed("fio-u-", alnum+"-_", 64))
	add("gitlab", fixed("gloas-", alnum, 64), fixed("glffct-", alnum+"-_", 20), fixed("glimt-", alnum+"-_", 25))
	add("gocardless-api-token", fixed("live_", alnum+"-_", 40))
	add("grafana", fixed("glc_", alnum, 60), fixed("eyJrIjoi", alnum, 80))
	add("groq", fixed("gsk_", alnum, 52))
	add("harness-api-key", func(r *rand.Rand) string {
		return "pat." + pick(r, alnum, 22) + "." + pick(r, hexes, 24) + "." + pick(r, alnum, 20)
	})
	add("hashicorp-tf-api-token", func(r *rand.Rand) string { return pick(r, alnum, 14) + ".atlasv1." + pick(r, alnum+"-_", 65) })
	add("heroku-api-key-v2", fixed("HRKU-AA", alnum+"_-", 58))
	add("huggingface-organization", fixed("api_org_", lower, 34))
	add("infracost-api-token", fixed("ico-", alnum, 32))
	add("langsmith", fixed("lsv2_pt_", hexes, 43))
	add("linear-api-key", fixed("lin_api_", mixed, 40))
	add("mailgun", fixed("key-", hexes, 32))
	add("mapbox-api-token", func(r *rand.Rand) string { return "pk." + pick(r, mixed, 60) + "." + pick(r, mixed, 22) })
	add("maxmind-license-key", func(r *rand.Rand) string { return pick(r, alnum, 6) + "_" + pick(r, alnum, 29) + "_mmk" })
	add("netlify", fixed("nfp_", alnum, 36))
	add("new-relic", fixed("NRAK-", digits+upper, 27), fixed("NRJS-", hexes, 19), fixed("NRII-", mixed+"-", 32))
	add("notion-api-token", func(r *rand.Rand) string { return "ntn_" + pick(r, digits, 11) + pick(r, alnum, 35) })
	add("onepassword", fixed("ops_eyJ", alnum, 250))
	add("openshift-user-token", fixed("sha256~", alnum+"-_", 43))
	add("perplexity-api-key", fixed("pplx-", alnum, 48))
	add("planetscale", fixed("pscale_tkn_", alnum+"=.-", 40), fixed("pscale_pw_", alnum, 40), fixed("pscale_oauth_", alnum, 40))
	add("postman-api-token", func(r *rand.Rand) string { return "PMAK-" + pick(r, hexes, 24) + "-" + pick(r, hexes, 34) })
	add("prefect-api-token", fixed("pnu_", mixed, 36))
	add("pulumi-api-token", fixed("pul-", hexes, 40))
	add("readme-api-token", fixed("rdme_", mixed, 70))
	add("replicate", fixed("r8_", alnum, 37))
	add("rubygems-api-token", fixed("rubygems_", hexes, 48))
	add("scalingo-api-token", fixed("tk-us-", alnum+"-_", 48))
	add("sendinblue-api-token", func(r *rand.Rand) string { return "xkeysib-" + pick(r, hexes, 64) + "-" + pick(r, mixed, 16) })
	add("sentry", fixed("sntryu_", hexes, 64), fixed("sntrys_eyJpYXQiO", alnum, 90))
	add("settlemint", fixed("sm_pat_", alnum, 16), fixed("sm_aat_", alnum, 16), fixed("sm_sat_", alnum, 16))
	add("shippo-api-token", fixed("shippo_live_", hexes, 40))
	add("shopify", fixed("shpca_", hexes, 32), fixed("shppa_", hexes, 32))
	add("sonar", fixed("squ_", hexes, 40), fixed("sqp_", hexes, 40), fixed("sqa_", hexes, 40))
	add("sourcegraph-access-token", func(r *rand.Rand) string { return "sgp_" + pick(r, hexes, 16) + "_" + pick(r, hexes, 40) })
	add("square-access-token", fixed("sq0atp-", alnum+"-_", 22), fixed("EAAA", alnum+"-_", 60))
	add("sumo, typeform", fixed("tfp_", mixed+"-_.=", 59))
	add("twilio-api-key", func(r *rand.Rand) string { return "SK" + hex.EncodeToString(bytesOf(r, 16)) })
	add("vercel", fixed("vcp_", alnum, 56), fixed("vercel_blob_rw_", alnum, 40))
	add("xai", fixed("xai-", alnum, 80))
	add("yandex", fixed("AQVN", alnum+"-_", 36), func(r *rand.Rand) string { return "t1." + pick(r, alnum+"-_", 40) + "." + pick(r, alnum+"-_", 86) })
	return all
}

// An identity names a machine or a person, in contexts of its own.
type identity struct {
	name     string
	make     func(*rand.Rand) string
	contexts []template
}

func assumedIdentities() []identity {
	user := func(r *rand.Rand) string { return pick(r, lower, 6) + "." + pick(r, lower, 5) }
	plain := func(r *rand.Rand) string { return "j" + pick(r, lower, 7) }
	const goDump = "goroutine 1 [running]:\nmain.main()\n\t/home/%s/src/shop/main.go:3 +0x1d\n"
	return []identity{
		{"machine id", func(r *rand.Rand) string { return hex.EncodeToString(bytesOf(r, 16)) }, []template{
			{"node's status", ".yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\nstatus:\n  nodeInfo:\n    machineID: %s\n"},
			{"node's status in JSON", ".json", `{"kind":"Node","status":{"nodeInfo":{"machineID":"%s","osImage":"x"}}}` + "\n"},
			{"kubectl describe", ".txt", "System Info:\n  Machine ID:                 %s\n  Kernel Version:  6.1\n"},
			{"journal", ".json", `{"_MACHINE_ID":"%s","MESSAGE":"up"}` + "\n"},
			{"hostnamectl", ".txt", " Static hostname: n\n      Machine ID: %s\n"},
			{"a log's line", ".log", "kubelet machine-id=%s ready\n"},
		}},
		{"system's UUID", func(r *rand.Rand) string {
			h := hex.EncodeToString(bytesOf(r, 16))
			return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-9" + h[17:20] + "-" + h[20:]
		}, []template{
			{"node's status", ".yaml", "apiVersion: v1\nkind: Node\nmetadata:\n  name: n\nstatus:\n  nodeInfo:\n    systemUUID: %s\n"},
			{"kubectl describe", ".txt", "System Info:\n  System UUID:                %s\n  Kernel Version:  6.1\n"},
			{"dmidecode", ".txt", "System Information\n\tManufacturer: QEMU\n\tUUID: x\n\tproduct_uuid: %s\n"},
		}},
		{"user in a path", plain, []template{
			{"Linux", ".log", "reading /home/%s/.kube/config failed\n"},
			{"macOS", ".log", "open /Users/%s/go/bin/web: no such file\n"},
			{"Windows", ".log", `open C:\Users\%s\AppData\Local\web.log: denied` + "\n"},
			{"Windows in JSON", ".log", `{"msg":"open C:\\Users\\%s\\AppData\\web.log"}` + "\n"},
			{"Windows, slashes", ".log", "open C:/Users/%s/AppData/web.log: denied\n"},
			{"file's URL", ".log", "load file:///home/%s/x.html\n"},
			{"end of a line", ".log", "HOME=/home/%s\n"},
			{"YAML", ".yaml", "volumes:\n- hostPath:\n    path: /home/%s/data\n"},
			{"Go's stack", ".log", goDump},
		}},
		{"user with a dot in a path", user, []template{
			{"Linux", ".log", "reading /home/%s/.kube/config failed\n"},
			{"Windows", ".log", `open C:\Users\%s\AppData\Local\web.log: denied` + "\n"},
		}},
		{"node in an audit event", func(r *rand.Rand) string { return pick(r, lower, 9) }, []template{
			{"objectRef", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"patch","objectRef":{"resource":"nodes","name":"%s"}}` + "\n"},
			{"objectRef, name first", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","objectRef":{"apiVersion":"v1","name":"%s","resource":"nodes"}}` + "\n"},
		}},
		{"cloud's instance", func(r *rand.Rand) string { return "i-0" + pick(r, digits+"abcdef", 16) }, []template{
			{"providerID", ".yaml", "apiVersion: v1\nkind: Node\nspec:\n  providerID: aws:///eu-west-1a/%s\n"},
			{"a log's line", ".log", "instance %s is not ready\n"},
		}},
		{"IPv6 of other spellings", func(r *rand.Rand) string {
			return fmt.Sprintf("fe80::%x:%xff:fe%x:%x", 1+r.IntN(65535), r.IntN(255), r.IntN(255), 1+r.IntN(65535))
		}, []template{
			{"with a zone", ".log", "dial tcp [%s%eth0]:443: refused\n"},
			{"with a prefix", ".log", "    inet6 %s/64 scope link\n"},
		}},
		{"MAC in capitals", func(r *rand.Rand) string {
			return strings.ToUpper(fmt.Sprintf("%x:%x:%x:%x:%x:%x", 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239)))
		}, []template{
			{"ip link", ".txt", "    link/ether %s brd ff:ff:ff:ff:ff:ff\n"},
			{"JSON", ".json", `{"mac":"%s"}` + "\n"},
		}},
		{"MAC with hyphens", func(r *rand.Rand) string {
			return strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x-%x", 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239), 16+r.IntN(239)))
		}, []template{
			{"ipconfig", ".txt", "   Physical Address. . . . . . . . . : %s\n"},
		}},
	}
}
