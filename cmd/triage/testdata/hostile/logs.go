package hostile

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

const (
	auditEvent = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id-%[1]d","stage":"ResponseComplete",` +
		`"requestURI":"/api/v1/namespaces/n%[1]d/configmaps/c%[1]d","verb":"update","user":{"username":"user-%[1]d"},"sourceIPs":["10.0.0.1"],` +
		`"userAgent":"agent-%[1]d/v1","objectRef":{"resource":"configmaps","namespace":"n%[1]d","name":"c%[1]d","apiVersion":"v1"},` +
		`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-03-04T04:47:00.%06[1]dZ","stageTimestamp":"2026-03-04T04:47:00.%06[1]dZ"}` + "\n"
	dockerLine  = `{"log":"line %[1]d\n","stream":"stdout","time":"2026-03-04T04:47:00.%09[1]dZ"}` + "\n"
	criLine     = "2026-03-04T04:47:00.%09[1]dZ stdout F line %[1]d\n"
	klogLine    = "E0304 04:47:00.%06[1]d       1 reflector.go:%[1]d] failed to list %[1]d\n"
	journalLine = `{"__REALTIME_TIMESTAMP":"1772599620000000","_HOSTNAME":"n%[1]d","SYSLOG_IDENTIFIER":"kubelet","MESSAGE":"line %[1]d"}` + "\n"
	lokiLine    = `{"labels":{"pod":"p%[1]d","namespace":"b"},"line":"line %[1]d","timestamp":"2026-03-04T04:47:00.%09[1]dZ"}` + "\n"
	testLine    = `{"Time":"2026-03-04T04:47:00Z","Action":"output","Package":"p%[1]d","Test":"T%[1]d","Output":"line %[1]d\n"}` + "\n"
	metricLine  = "m%[1]d_total{pod=\"p%[1]d\",x=\"%[1]d\"} %[1]d\n"
	cpuStat     = "usage_usec 100\nuser_usec 50\nsystem_usec 50\nnr_periods 100\nnr_throttled 90\nthrottled_usec 1000\n"
	page        = "<html><head><title>/debug/pprof/</title></head><body>\n<table><tr><td>3</td><td><a href='goroutine?debug=1'>goroutine" +
		"</a></td></tr></table></body></html>\n"
)

// A framed log is a line with its number in one of the framings that triage takes off.
var framedLogs = []struct{ name, ext, line string }{
	{"audit", ".jsonl", auditEvent}, {"docker", ".log", dockerLine}, {"cri", ".log", criLine}, {"klog", ".log", klogLine},
	{"journal", ".json", journalLine}, {"loki", ".jsonl", lokiLine}, {"gotest", ".json", testLine},
}

// smallTexts are texts that are no records of anything.
func smallTexts() []Input {
	return []Input{
		text("empty.log", "nothing", ""),
		text("newline.log", "a line break", "\n"),
		text("nul.log", "nothing but NUL bytes", strings.Repeat("\x00", 1<<20)),
		text("newlines.log", "nothing but line breaks", strings.Repeat("\n", 1<<20)),
		text("returns.log", "nothing but carriage returns", strings.Repeat("\r", 1<<20)),
		text("longline.log", "a line of 6 MB", strings.Repeat("a", 6<<20)),
		text("invalid.log", "bytes that are no UTF-8", strings.Repeat("\xff\xc0\x80\xed\xa0\x80 ", 50_000)),
		text("quotes.log", "quotes and backslashes", strings.Repeat(`"\`, 500_000)),
		text("spaces.log", "a line of spaces", strings.Repeat(" ", 2<<20)),
		text("equals.log", "a line of pairs", strings.Repeat("a=b ", 500_000)),
		text("percent.log", "percent signs", strings.Repeat("%s%n%x", 200_000)+"\n"),
		text("mixed.log", "framings that change with each line", strings.Repeat(fmt.Sprintf(dockerLine+criLine+klogLine+journalLine, 1), 2000)),
		text("escaped.log", "escapes in escapes in escapes", `{"log":"`+strings.Repeat(`\\\"`, 200_000)+`\n","stream":"stdout"}`+"\n"),
		repeated("patterns.log", "30,000 lines of which no two are alike", "", 30_000, func(w io.Writer, i int) {
			fmt.Fprintf(w, "2026-03-04 04:47:00 %s failed for %s\n", word(i), word(i*7+1))
		}, ""),
		repeated("streams.log", "5,000 pods in one log", "", 5000, format("pod-%[1]d app-%[1]d line %[1]d\n"), ""),
		repeated("partial.log", "pieces of a line without its end", "", 50_000,
			format("2026-03-04T04:47:00.%09dZ stdout P piece \n"), ""),
		text("secret.log", "a private key without end", "-----BEGIN PRIVATE KEY-----\n"+strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n", 20_000)),
		text("keys.log", "begins of private keys", strings.Repeat("-----BEGIN RSA PRIVATE KEY-----", 20_000)+"\n"),
		text("urls.log", "a URL of 1 MB", "https://user:"+strings.Repeat("p@:/", 250_000)+"\n"),
		text("base64.log", "base64 of 2 MB", "token="+strings.Repeat("QUJD", 500_000)+"\n"),
	}
}

// smallRecords are logs and files of known forms.
func smallRecords() []Input {
	var all []Input
	for _, f := range framedLogs {
		first := fmt.Sprintf(f.line, 1)
		all = append(all,
			repeated(f.name+"-many"+f.ext, "20,000 lines of a writer each", "", 20_000, format(f.line), ""),
			text(f.name+"-long"+f.ext, "a record of 3 MB", strings.Replace(first, "1", strings.Repeat("1", 3<<20), 1)),
			text(f.name+"-half"+f.ext, "records that end anywhere", strings.Repeat(first[:len(first)/2]+"\n"+first, 500)),
			text(f.name+"-one"+f.ext, "records without line breaks", strings.Repeat(strings.TrimSuffix(first, "\n"), 2000)))
	}
	return append(all,
		text("audit-times.jsonl", "times that go back and out of range", strings.Repeat(fmt.Sprintf(auditEvent, 1)+
			strings.ReplaceAll(fmt.Sprintf(auditEvent, 2), "2026-03-04", "0000-00-00")+
			strings.ReplaceAll(fmt.Sprintf(auditEvent, 3), "2026-03-04", "9999-12-31"), 500)),
		text("audit-deep.jsonl", "a body nested 200,000 deep", strings.Replace(fmt.Sprintf(auditEvent, 1), `"verb"`,
			`"requestObject":`+strings.Repeat(`{"a":`, 200_000)+"1"+strings.Repeat("}", 200_000)+`,"verb"`, 1)),
		text("audit-code.jsonl", "a status that no number holds", strings.ReplaceAll(fmt.Sprintf(auditEvent, 1), `"code":200`,
			`"code":-99999999999999999999`)),
		repeated("metrics.txt", "20,000 metrics", "# TYPE m counter\n", 20_000, format(metricLine), ""),
		text("metrics-label.txt", "a label of 2 MB", "go_goroutines{a=\""+strings.Repeat("x", 2<<20)+"\"} 5\n"),
		text("metrics-numbers.txt", "numbers that are none", "go_goroutines NaN\ngo_threads +Inf\nprocess_open_fds -1e999999\n"+
			"process_max_fds 0x1p-2 99999999999999999999999\ngo_goroutines{le=\"\\\n"),
		text("cpu.stat", "a control group with numbers out of range", strings.ReplaceAll(cpuStat, "100", "-99999999999999999999999")),
		repeated("cgroups.txt", "5,000 printed control groups", "", 5000,
			format("==> /sys/fs/cgroup/kubepods/pod%d/cpu.stat <==\n"+cpuStat), ""),
		text("pressure.txt", "pressure that is none", "some avg10=NaN avg60=1e99 avg300=-1 total=-5\nfull avg10= avg60= avg300= total=\n"),
		text("page.html", "an unclosed page", strings.Repeat("<table><tr><td>", 50_000)+page),
		text("page-script.html", "a page with scripts", strings.Replace(page, "goroutine<", "<script>alert(1)</script>\x1b[2J<", 1)),
		text("page-entities.html", "entities without end", strings.Replace(page, "goroutine<", strings.Repeat("&amp;#x1b;", 100_000)+"<", 1)),
		text("otlp.json", "an OTLP export nested in itself", `{"resourceLogs":[{"scopeLogs":[{"logRecords":[`+strings.Repeat(
			`{"timeUnixNano":"99999999999999999999999","body":{"stringValue":"x"}},`, 5000)+`{}]}]}]}`))
}

// word is the ith of many words without digits: miners take those for variables.
func word(i int) string {
	var b []byte
	for i++; i > 0; i /= 26 {
		b = append(b, 'a'+byte(i%26))
	}
	return string(b)
}

func bigLogs(r *rand.Rand) []Input {
	million := 1_000_000
	all := []Input{
		repeated("patterns-big.log", "2 million lines of which no two are alike", "", 2*million, func(w io.Writer, i int) {
			fmt.Fprintf(w, "2026-03-04 04:47:00 %s failed for %s in %s\n", word(i), word(i*7+1), word(i*13+5))
		}, ""),
		repeated("streams-big.log", "2 million lines of a pod each", "", 2*million, format("pod-%[1]d app-%[1]d line %[1]d\n"), ""),
		repeated("partial-big.log", "pieces of a line without its end, 180 MB", "", 3*million,
			format("2026-03-04T04:47:00.%09dZ stdout P piece of a line that never ends\n"), ""),
		repeated("longlines-big.log", "40 lines of 4 MB", "", 40, same(strings.Repeat("word ", 800_000)+"\n"), ""),
		repeated("metrics-big.txt", "2 million metrics", "", 2*million, format(metricLine), ""),
		repeated("random-big.log", "150 MB of chance", "", 150, func(w io.Writer, _ int) {
			b := make([]byte, 1<<20)
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			w.Write(b)
		}, ""),
	}
	for _, f := range framedLogs {
		n := 190 * million / len(fmt.Sprintf(f.line, million))
		all = append(all, repeated(f.name+"-big"+f.ext, fmt.Sprintf("%d lines of a writer each", min(n, million)), "", min(n, million),
			format(f.line), ""))
	}
	return all
}
