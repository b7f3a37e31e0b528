package redact

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
)

// keysAsPEM are private keys, one of them with a header.
func keysAsPEM(t *testing.T) map[string]string {
	t.Helper()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ec, err := x509.MarshalECPrivateKey(ecKey)
	if err != nil {
		t.Fatal(err)
	}
	ed, err := x509.MarshalPKCS8PrivateKey(edKey)
	if err != nil {
		t.Fatal(err)
	}
	text := func(kind string, headers map[string]string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Headers: headers, Bytes: der}))
	}
	headers := map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-128-CBC,0123456789ABCDEF0123456789ABCDEF"}
	return map[string]string{
		"RSA":       text("RSA PRIVATE KEY", nil, x509.MarshalPKCS1PrivateKey(rsaKey)),
		"encrypted": text("RSA PRIVATE KEY", headers, x509.MarshalPKCS1PrivateKey(rsaKey)),
		"EC":        text("EC PRIVATE KEY", nil, ec),
		"Ed25519":   text("PRIVATE KEY", nil, ed),
		"zeros":     text("PRIVATE KEY", nil, make([]byte, 141)),
	}
}

// frames are what logs put around a line: those that triage reads, and others. i is the line's number.
func frames() map[string]func(i int, line string) string {
	prefix := func(format string) func(int, string) string {
		return func(i int, line string) string { return strings.ReplaceAll(format, "%d", fmt.Sprint(i%10)) + line }
	}
	object := func(format string) func(int, string) string {
		return func(i int, line string) string {
			var b bytes.Buffer
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(false)
			_ = e.Encode(line)
			return strings.NewReplacer("%d", fmt.Sprint(i%10), "%s", strings.TrimSuffix(b.String(), "\n")).Replace(format)
		}
	}
	docker := object(`{"log":%s,"stream":"stderr","time":"2026-11-20T18:05:32.12346034%dZ"}`)
	return map[string]func(int, string) string{
		"plain":             prefix(""),
		"CRI":               prefix("2026-11-20T18:05:32.12346034%dZ stderr F "),
		"CRI with two tags": prefix("2026-11-20T18:05:32.%dZ stderr F:x "),
		"docker":            func(i int, l string) string { return docker(i, l+"\n") },
		"docker, other order": func(i int, l string) string {
			return object(`{ "time" : "2026-11-20T18:05:3%dZ", "log": %s }`)(i, l+"\n")
		},
		"fluent-bit":             object(`{"log":%s,"stream":"stderr","time":"2026-11-20T18:05:32.%dZ","kubernetes":{"pod_name":"web-1","container_name":"app"}}`),
		"kubectl --timestamps":   prefix("2026-11-20T18:05:32.12346034%dZ "),
		"GitLab":                 prefix("2026-11-20T18:05:32.12346034%dZ 01E "),
		"kubectl --prefix":       prefix("[pod/web-1/app] "),
		"kubectl, both":          prefix("[pod/web-1/app] 2026-11-20T18:05:32.12346034%dZ "),
		"stern":                  prefix("web-756cd-x4gm6 app "),
		"stern in colours":       prefix("\x1b[36mweb-756cd-x4gm6\x1b[0m \x1b[96mapp\x1b[0m "),
		"stern, namespaces":      prefix("kube-system web-756cd-x4gm6 app "),
		"compose":                prefix("web-1  | "),
		"compose in colours":     prefix("\x1b[36mweb-1  |\x1b[0m "),
		"colour before the text": prefix("web-1 \x1b[1;36m"),
		"journald":               prefix("Mar 04 04:47:0%d n1 app[12]: "),
		"journald, precise":      prefix("Nov  2 18:05:32.12345%d node1 kubelet[1]: "),
		"journald, ISO":          prefix("2026-11-20T18:05:3%d+0000 node1 k3s[1]: "),
		"journald, full":         prefix("Fri 2026-11-20 18:05:3%d UTC node1 k3s[1]: "),
		"journald JSON":          object(`{"__CURSOR":"s=ab%d;i=f","_HOSTNAME":"node1","SYSLOG_IDENTIFIER":"k3s","_PID":"7","__REALTIME_TIMESTAMP":"179519793212345%d","MESSAGE":%s,"PRIORITY":"6"}`),
		"journald JSON, pretty":  object("{\n\t\"_PID\" : \"%d\",\n\t\"MESSAGE\" : %s,\n\t\"PRIORITY\" : \"6\"\n}"),
		"syslog":                 prefix("<11>Nov 20 18:05:3%d node1 app[7]: "),
		"syslog without a host":  prefix("<11>Nov 20 18:05:3%d app[7]: "),
		"syslog, RFC 5424":       prefix("<165>1 2026-11-20T18:05:32.12%dZ node1 app 7 ID47 - "),
		"syslog with data":       prefix("<165>1 2026-11-20T18:05:32.12%dZ node1 app - - [a@1 k=\"x\\\"]\"][b@2] \xef\xbb\xbf"),
		"klog":                   prefix("I1120 18:05:32.12345%d       1 dump.go:77] "),
		"quote":                  prefix("> "),
		"quoted CRI":             prefix("> 2026-11-20T18:05:32.12346034%dZ stderr F "),
		"fuchsia":                prefix("[0012%d.386] 05209.05460> "),
		"dmesg":                  prefix("[  83.12345%d] "),
		"dmesg, thread":          prefix("[  83.12345%d][ T1234] "),
		"Jenkins":                prefix("[2026-11-20T18:05:32.12%dZ] "),
		"GitLab's sections":      prefix("section_start:179519793%d:step_script\r\x1b[0K"),
		"Buildkite":              prefix("\x1b_bk;t=179519793212345%d\x07"),
		"go test": func(i int, l string) string {
			return object(`{"Time":"2026-11-20T18:05:3%dZ","Action":"output","Package":"x/y","Output":%s}`)(i, l+"\n")
		},
		"loki":             object(`{"labels":{"pod":"web-1","container":"app"},"line":%s,"timestamp":"2026-11-20T18:05:3%dZ"}`),
		"Cloud Logging":    object(`{"insertId":"a%d","resource":{"labels":{"pod_name":"web-1"}},"textPayload":%s,"timestamp":"2026-11-20T18:05:32Z"}`),
		"grep -n":          prefix("0.log:1%d:"),
		"CI":               prefix("job\tstep\t2026-11-20T18:05:3%dZ "),
		"a clock":          prefix("[18:05:3%d] "),
		"logger in CRI":    prefix("2026-11-20T18:05:32.12346034%dZ stdout F 2026/11/20 18:05:32 INFO main: "),
		"logger in docker": func(i int, l string) string { return docker(i, "Mar 04 04:47:01 n1 app[12]: "+l+"\n") },
		"JSON in docker":   func(i int, l string) string { return docker(i, object(`{"level":"info","msg":%s}`)(i, l)+"\n") },
		"logfmt": func(i int, l string) string {
			return fmt.Sprintf("time=\"2026-11-20T18:05:3%dZ\" level=info msg=%q", i%10, l)
		},
		"logfmt in docker": func(i int, l string) string { return docker(i, fmt.Sprintf("level=info msg=%q\n", l)) },
		"escaped slashes":  func(i int, l string) string { return strings.ReplaceAll(docker(i, l+"\n"), "/", `\/`) },
		"escaped tab":      func(i int, l string) string { return docker(i, "\t"+l+"\n") },
		"Windows":          func(i int, l string) string { return "10:11:12 " + l + "\r" },
	}
}

// No line of a private key is left in any framing: with text before the key, with another writer's lines between, and
// through each way of reading.
func TestNoLineOfAFramedPrivateKeyIsLeft(t *testing.T) {
	for kind, key := range keysAsPEM(t) {
		lines := strings.Split(strings.TrimSuffix(key, "\n"), "\n")
		for name, frame := range frames() {
			for _, intro := range []string{"", "loaded key: ", "private_key=", "tls.key: "} {
				var in strings.Builder
				for i, line := range lines {
					if i == 0 {
						line = intro + line
					}
					in.WriteString(frame(i, line) + "\n")
					if i%3 == 1 {
						in.WriteString("other-5c writer GET /healthz of 10.0.0.1\n")
					}
				}
				in.WriteString(frame(1, "the server listens on port 8080 now") + "\n")
				if strings.HasPrefix(in.String(), "{") && strings.Contains(name, "pretty") {
					in.Reset()
					for i, line := range lines {
						in.WriteString(frame(i, line) + "\n")
					}
					in.WriteString(frame(1, "the server listens on port 8080 now") + "\n")
				}
				out := stream(t, "app.log", in.String())
				for i, line := range lines[1 : len(lines)-1] {
					if line != "" && !strings.Contains(line, ":") && (strings.Contains(out, line) || strings.Contains(out, strings.ReplaceAll(line, "/", `\/`))) {
						t.Fatalf("%s, %s, %q: line %d of %d is left:\n%s\n%s", kind, name, intro, i+1, len(lines), line, out)
					}
				}
				if !strings.Contains(out, "the server listens on port 8080 now") || !strings.Contains(out, lines[0]) ||
					!strings.Contains(out, lines[len(lines)-1]) {
					t.Fatalf("%s, %s: %s", kind, name, out)
				}
				if a, b := strings.Count(in.String(), "\n"), strings.Count(out, "\n"); a != b {
					t.Errorf("%s, %s: %d lines became %d", kind, name, a, b)
				}
				if twice := stream(t, "app.log", out); twice != out {
					t.Errorf("%s, %s: again:\n%s\n%s", kind, name, out, twice)
				}
			}
		}
	}
}

// What only begins like a block, or lies beside one, stays.
func TestWhatIsNoPEMStays(t *testing.T) {
	j := "Mar 04 04:47:01 n1 app[12]: "
	for name, c := range map[string]struct{ in, want string }{
		"behind the end": {j + "-----BEGIN PRIVATE KEY-----\n" + j + "MC4CAQAwBQYDK2VwBCIEIEFh\n" + j + "-----END PRIVATE KEY-----\n" + j + "ready\n",
			"Mar 04 04:47:01 host-1 app[12]: -----BEGIN PRIVATE KEY-----\nMar 04 04:47:01 host-1 app[12]: pem-1\nMar 04 04:47:01 host-1 app[12]: -----END PRIVATE KEY-----\nMar 04 04:47:01 host-1 app[12]: ready\n"},
		"no end":        {"x -----BEGIN PRIVATE KEY-----\nx listening on 8080\nx 200 GET /healthz\nx stopped by signal terminated\n", "x -----BEGIN PRIVATE KEY-----\nx listening on 8080\nx 200 GET /healthz\nx stopped by signal terminated\n"},
		"between":       {"x -----BEGIN PRIVATE KEY-----\ny open /etc/kubernetes/manifests\nx MC4CAQAwBQYDK2VwBCIEIEFh\nx -----END PRIVATE KEY-----\n", "x -----BEGIN PRIVATE KEY-----\ny open /etc/kubernetes/manifests\nx pem-1\nx -----END PRIVATE KEY-----\n"},
		"headers":       {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\nMIIabc\n-----END RSA PRIVATE KEY-----\n", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\npem-1\n-----END RSA PRIVATE KEY-----\n"},
		"dashes":        {"-----BEGIN\nMIIabc\n----- BEGIN X -----\nMIIabc\n", "-----BEGIN\nMIIabc\n----- BEGIN X -----\nMIIabc\n"},
		"other members": {`{"log":"-----BEGIN PUBLIC KEY-----\n","stream":"stdout"}` + "\n" + `{"log":"MIIabc\n","stream":"stdout","tag":"web"}` + "\n" + `{"log":"-----END PUBLIC KEY-----\n","stream":"stdout"}` + "\n", `{"log":"-----BEGIN PUBLIC KEY-----\n","stream":"stdout"}` + "\n" + `{"log":"pem-1\n","stream":"stdout","tag":"web"}` + "\n" + `{"log":"-----END PUBLIC KEY-----\n","stream":"stdout"}` + "\n"},
		"one address":   {"x -----BEGIN PRIVATE KEY-----\n10.0.0.1 x MC4CAQAwBQYDK2VwBCIEIEFh\nx -----END PRIVATE KEY-----\n", "x -----BEGIN PRIVATE KEY-----\nip-1 x pem-1\nx -----END PRIVATE KEY-----\n"},
		"one line more": {`msg="-----BEGIN PRIVATE KEY-----" pid=12` + "\n", `msg="-----BEGIN PRIVATE KEY-----" pid=12` + "\n"},
	} {
		if got := stream(t, "app.log", c.in); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

// A block without an end hides nothing behind its bound.
func TestABlockWithoutAnEndIsBounded(t *testing.T) {
	for _, frame := range []string{"%s", `{"log":"%s\n","stream":"stdout"}`} {
		in := fmt.Sprintf(frame+"\n", "-----BEGIN PRIVATE KEY-----") + strings.Repeat(fmt.Sprintf(frame+"\n", "ready"), 2*maxPEMLines)
		if got := strings.Count(stream(t, "app.log", in), "ready"); got != maxPEMLines {
			t.Errorf("%s: %d of %d lines are left", frame, got, 2*maxPEMLines)
		}
	}
}
