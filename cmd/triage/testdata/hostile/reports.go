package hostile

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// smallReports are reports of triage that nothing wrote.
func smallReports() []Input {
	return []Input{
		text("report-deep.json", "a report nested 100,000 deep",
			reportHead+`"findings":`+strings.Repeat(`[{"path":`, 100_000)),
		text("report-cut.json", "a report that ends in a string", reportHead+`"verdict":"cut \u00`),
		text("report-types.json", "members of other types", reportHead+
			`"findings":{"a":1},"dumps":[7,null,"x"],"rules":[[]]}`),
		text("report-utf8.json", "a report that is not UTF-8", reportHead+`"verdict":"`+strings.Repeat("\xff", 1<<20)+`"}`),
		text("report-again.json", "a member that is there 100,000 times", reportHead+
			strings.Repeat(`"findings":[{},{},{},{}],`, 100_000)+`"findings":[]}`),
		text("report-numbers.json", "numbers that no type holds", reportHead+
			`"dumps":[{"goroutines":-1e999,"buckets":[{"count":-5},`+
			`{"count":9223372036854775807,"goroutines":[18446744073709551615]}]}]}`),
		text("report-block.html", "a page with a block that is not gzip", `<!doctype html>`+reportBlock+`H4sIAAAA</script>`),
	}
}

const (
	reportHead  = `{"schema":"triage/v1",`
	reportBlock = `<script type="application/json+gzip" id="triage-report">`
	finding     = `{"severity":"low","confidence":"low"},`
)

// savedReport is a report of n equal pieces and a last one without the comma.
func savedReport(name, why, head string, n int, piece, tail string) Input {
	in := repeated("report-"+name+".json", why, reportHead+head, n, same(piece), strings.TrimSuffix(piece, ",")+tail)
	in.Saved = true
	return in
}

// bigReports are reports just below the bounds of reading one back, 64 MiB of JSON and 80 MiB of what it becomes, in
// the parts of which few bytes make the most; and many of them at once.
func bigReports() []Input {
	const dump = `"dumps":[{"goroutines":9,"buckets":[`
	numbers := func(w io.Writer, i int) { fmt.Fprintf(w, `{"count":1,"frames":[{"function":"a.b%d"}]},`, i) }
	return []Input{
		savedReport("findings", "a report of 130,000 empty findings", `"findings":[`, 130_000, finding, "]}"),
		savedReport("million-findings", "a report of 10^6 empty findings", `"findings":[`, 1_000_000, "{},", "]}"),
		savedReport("no-findings", "a report of 30 million numbers where findings belong",
			`"findings":[`, 30_000_000, "1,", "]}"),
		savedReport("dumps", "a report of 160,000 empty dumps", `"dumps":[`, 160_000, "{},", "]}"),
		savedReport("buckets", "a report of 400,000 empty stacks", dump, 400_000, "{},", "]}]}"),
		repeated("report-stacks.json", "a report of 280,000 stacks of which no two are equal",
			reportHead+dump, 280_000, numbers, "{}]}]}"),
		savedReport("frames", "a report of a stack of 10^6 frames", dump+`{"frames":[`, 1_000_000, "{},", "]}]}]}"),
		savedReport("ids", "a report of a stack of 7 million goroutines", dump+`{"goroutines":[`, 7_000_000, "1,", "]}]}]}"),
		savedReport("labels", "a report of a stack of 3 million labels", dump+`{"labels":[`, 3_000_000, `"a",`, "]}]}]}"),
		savedReport("waits", "a report of 500,000 locks", `"dumps":[{"waits":[`, 500_000, `{"holders":[{}]},`, "]}]}"),
		savedReport("inputs", "a report of 400,000 inputs", `"inputs":[`, 400_000, "{},", "]}"),
		savedReport("evidence", "a report of a finding of 600,000 evidences",
			`"findings":[{"severity":"low","confidence":"low","evidence":[`, 600_000, "{},", "]}]}"),
		savedReport("pods", "a report of 300,000 pods", `"pods":[`, 300_000, "{},", "]}"),
		savedReport("series", "a report of 250,000 processes", `"series":[`, 250_000, `{"buckets":[{}]},`, "]}"),
		savedReport("verdict", "a report of a verdict of 64 MB", `"verdict":"`, 6_000_000, "0123456789", `"}`),
		savedReport("escapes", "a report of 10 million escapes", `"verdict":"`, 10_000_000, `\u001b`, `"}`),
		savedReport("keys", "a report of 10 million members that no report has", `"x":{`, 10_000_000, `"a":1,`, "}}"),
		{Name: "report-findings.html", Why: "a page of 130,000 empty findings", Saved: true, Write: func(w io.Writer) error {
			all := strings.Repeat(finding, 130_000)
			return reportPage(w, reportHead+`"findings":[`+strings.TrimSuffix(all, ",")+"]}")
		}},
		{Name: "report-bomb.html", Why: "a page with a report of 200 MB", Write: func(w io.Writer) error {
			return reportPage(w, reportHead+`"verdict":"`+strings.Repeat(" ", 200_000_000)+`"}`)
		}},
		{Name: "reports-100.zip", Why: "100 reports just below the bound", Write: reportsZip},
		repeated("long-names.txt", "40,000 stacks of functions with names of 500 bytes", "", 40_000, func(w io.Writer, i int) {
			fmt.Fprintf(w, "goroutine %d [select]:\nmain.f%d(0x1)\n\t/src/main.go:1 +0x1d\n", i+1, i)
			for j := range 8 {
				fmt.Fprintf(w, "main.%s%d(0x1)\n\t/src/main.go:%d +0x1d\n", longName, j, j)
			}
			io.WriteString(w, "\n")
		}, ""),
	}
}

var longName = strings.Repeat("n", 500)

// reportPage writes a page with the text of a report in its block.
func reportPage(w io.Writer, report string) error {
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	if _, err := io.WriteString(gz, report); err != nil {
		return err
	}
	if err := gz.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(w, "<!doctype html><title>triage</title>"+reportBlock+
		base64.StdEncoding.EncodeToString(b.Bytes())+"</script>")
	return err
}

func reportsZip(w io.Writer) error {
	z := zip.NewWriter(w)
	for i := range 100 {
		f, err := z.Create(fmt.Sprintf("report-%d.json", i))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, reportHead+`"dumps":[`+strings.Repeat("{},", 160_000)+"{}]}"); err != nil {
			return err
		}
	}
	return z.Close()
}
