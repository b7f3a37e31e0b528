// Injections writes inputs of every kind with a stranger's text wherever a stranger may choose it: names of
// functions, files, pods and labels, log lines, messages, user agents, strings of profiles, names of archives' entries.
//
// There is a folder for each line of texts.tsv: what the text is aimed at, its name, and the text as Go quotes it. The
// folder is called by the line's number. One more, 0, has a harmless text: what triage makes of it is compared with.
package main

import (
	"archive/zip"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"golang.org/x/tools/txtar"
)

//go:embed texts.tsv
var texts string

//go:embed inputs.txtar
var inputs []byte

// harmless is a text that nothing acts on, of several words as most texts have them.
const harmless = "harmless"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: injections DIR")
		os.Exit(2)
	}
	if err := writeAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "injections:", err)
		os.Exit(1)
	}
}

func writeAll(dir string) error {
	all := []string{harmless}
	for line := range strings.Lines(texts) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		text, err := strconv.Unquote(fields[len(fields)-1])
		if err != nil || len(fields) != 3 {
			return fmt.Errorf("texts.tsv: %q: %w", line, err)
		}
		all = append(all, text)
	}
	for i, text := range all {
		root := filepath.Join(dir, strconv.Itoa(i))
		if err := write(root, text); err != nil {
			return fmt.Errorf("text %d: %w", i, err)
		}
	}
	return nil
}

// write writes the inputs with one text.
func write(root, text string) error {
	files := unfold(txtar.Parse(inputs).Files)
	for _, f := range files {
		data, err := fill(f, text)
		if err != nil {
			return err
		}
		path := filepath.Join(root, filepath.FromSlash(strings.ReplaceAll(f.Name, "INJECT", fileName(text))))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
	}
	return errors.Join(writeProfile(filepath.Join(root, "cpu.pb.gz"), text),
		writeZip(filepath.Join(root, "bundle.zip"), text, files[0].Data))
}

var times = regexp.MustCompile(`×(\d+)$`)

// unfold repeats the files whose names say so.
func unfold(files []txtar.File) (all []txtar.File) {
	at := time.Date(2026, 3, 4, 4, 0, 0, 0, time.UTC)
	for _, f := range files {
		n := 1
		if m := times.FindStringSubmatch(f.Name); m != nil {
			n, _ = strconv.Atoi(m[1])
			f.Name = strings.TrimSuffix(f.Name, m[0])
		}
		if len(all) == 0 || all[len(all)-1].Name != f.Name {
			all = append(all, txtar.File{Name: f.Name})
		}
		last := &all[len(all)-1]
		for i := range n {
			last.Data = append(last.Data, strings.NewReplacer("{i}", strconv.Itoa(i+10), "{next}", strconv.Itoa(i+11),
				"{at}", at.Add(time.Duration(i)*time.Second).Format(time.RFC3339)).Replace(string(f.Data))...)
		}
	}
	return all
}

// fill puts the text into a file.
func fill(f txtar.File, text string) ([]byte, error) {
	if ext := filepath.Ext(f.Name); ext != ".json" && ext != ".jsonl" {
		return []byte(strings.ReplaceAll(string(f.Data), "INJECT", text)), nil
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	return []byte(strings.ReplaceAll(string(f.Data), "INJECT", string(quoted[1:len(quoted)-1]))), nil
}

// fileName is the text as one element of a path.
func fileName(text string) string {
	text = strings.NewReplacer("/", "|", "\x00", "").Replace(text)
	if text == "." || text == ".." {
		text += "x"
	}
	return text[:min(len(text), 200)]
}

// writeZip writes an archive with a dump under names that are not made safe.
func writeZip(path, text string, dump []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := zip.NewWriter(f)
	if err := w.SetComment(text); err != nil {
		return err
	}
	for _, name := range []string{text + ".txt", "logs/" + text + "/0.log", "pods/shop_" + text + "_11-22/app/0.log"} {
		e, err := w.CreateHeader(&zip.FileHeader{Name: name, Comment: text, Method: zip.Deflate})
		if err != nil {
			return err
		}
		if _, err := e.Write([]byte(strings.ReplaceAll(string(dump), "INJECT", text))); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), f.Close())
}

// writeProfile writes a CPU profile in which a function of the text makes keys all the time.
func writeProfile(path, text string) error {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7, DurationNanos: 30e9,
		Comments: []string{text},
		Mapping:  []*profile.Mapping{{ID: 1, File: text, BuildID: text, HasFunctions: true}},
	}
	sample := &profile.Sample{Value: []int64{2900, 29e9}, Label: map[string][]string{text: {text}, "tenant": {text}}}
	for i, name := range []string{"crypto/internal/fips140/nistec.p256PointAddAsm", "crypto/ecdsa.GenerateKey",
		"main." + text, "main.(*" + text + ").Reconcile", "main.main"} {
		fn := &profile.Function{ID: uint64(i + 1), Name: name, SystemName: name, Filename: "/src/" + text + ".go"}
		l := &profile.Location{ID: fn.ID, Mapping: p.Mapping[0], Address: fn.ID,
			Line: []profile.Line{{Function: fn, Line: 7}}}
		p.Function, p.Location = append(p.Function, fn), append(p.Location, l)
		sample.Location = append(sample.Location, l)
	}
	p.Sample = []*profile.Sample{sample}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(p.Write(f), f.Close())
}
