// Command fleet measures triage over the logs of a fleet that is judged in parts, and prints a table. The logs come as
// tar archives through a pipe, so that no disk holds them: pods of two hundred kinds, of which each prints lines of its
// own and then one of the dumps of testdata/textbook. Each part becomes a report; the reports are merged at once and in
// a tree, which must give the same bytes.
//
//	cd bench && go run ./fleet [-pods 10,100,1000,10000] [-kilobytes 4000] [-part 250] >table.md
package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ulikunitz/xz"

	"github.com/gotriage/triage/bench/internal/gen"
	"github.com/gotriage/triage/bench/internal/run"
)

// kinds is how many kinds of pods there are at most.
const kinds = 200

var (
	pods      = flag.String("pods", "10,100,1000,10000", "sizes of fleets")
	kilobytes = flag.Int("kilobytes", 4000, "length of a pod's log")
	part      = flag.Int("part", 250, "pods of a part")
	write     = flag.String("write", "", "write the logs of pods FROM-TO to stdout instead")
)

func main() {
	flag.Parse()
	if err := start(); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

func start() error {
	if *write != "" {
		var from, to int
		if _, err := fmt.Sscanf(*write, "%d-%d", &from, &to); err != nil {
			return fmt.Errorf("-write: %w", err)
		}
		return writeLogs(os.Stdout, from, to)
	}
	m := meter{}
	var err error
	m.work, m.triage, m.fleet, err = run.Programs("fleet")
	defer os.RemoveAll(m.work)
	if err != nil {
		return err
	}
	fmt.Println("| pods | GB | parts | judging: processor time, s | ms per pod | peak memory, MB |" +
		" merging: processor time, s | peak memory, MB | findings | merged in a tree |\n" +
		"|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	for size := range strings.SplitSeq(*pods, ",") {
		n := 0
		if _, err := fmt.Sscan(size, &n); err != nil || n < 1 {
			return fmt.Errorf("-pods: %q is no number of pods", size)
		}
		row, err := m.row(n)
		if err != nil {
			return fmt.Errorf("%d pods: %w", n, err)
		}
		fmt.Println(row)
	}
	return nil
}

// A meter has the programs, triage as it is shipped and this one, and a folder for reports.
type meter struct{ work, triage, fleet string }

// row measures a fleet of n pods.
func (m *meter) row(n int) (string, error) {
	reports := filepath.Join(m.work, fmt.Sprint(n))
	if err := os.Mkdir(reports, 0o755); err != nil {
		return "", err
	}
	var judged run.Usage
	parts := 0
	for from := 0; from < n; from += *part {
		u, err := m.judge(from, min(from+*part, n), filepath.Join(reports, fmt.Sprintf("%d.json", from)))
		if err != nil {
			return "", err
		}
		judged = run.Usage{Wall: judged.Wall + u.Wall, CPU: judged.CPU + u.CPU, Peak: max(judged.Peak, u.Peak)}
		parts++
	}
	flat := filepath.Join(m.work, fmt.Sprintf("flat-%d.json", n))
	merged, err := run.Measure(nil, m.triage, "merge", reports, "-o", "json="+flat)
	if err != nil {
		return "", err
	}
	tree, err := m.tree(reports)
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(flat)
	if err != nil {
		return "", err
	}
	same := "the same"
	if !bytes.Equal(data, tree) {
		same = "other"
	}
	return fmt.Sprintf("| %d | %.2f | %d | %.1f | %.1f | %d | %.2f | %d | %d | %s |",
		n, float64(n**kilobytes)/1e6, parts,
		judged.CPU.Seconds(), float64(judged.CPU/time.Duration(n))/1e6, judged.Peak/1e6,
		merged.CPU.Seconds(), merged.Peak/1e6, bytes.Count(data, []byte(`"fingerprint":`)), same), nil
}

// judge runs triage over the logs of some pods, as they are generated.
func (m *meter) judge(from, to int, report string) (u run.Usage, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return u, err
	}
	defer r.Close()
	logs := exec.Command(m.fleet, "-kilobytes", fmt.Sprint(*kilobytes), "-write", fmt.Sprintf("%d-%d", from, to))
	logs.Stdout, logs.Stderr = w, os.Stderr
	err = logs.Start()
	if err = errors.Join(err, w.Close()); err != nil {
		return u, err
	}
	if u, err = run.Measure(r, m.triage, "-o", "json="+report, "-"); err != nil {
		return u, err
	}
	return u, logs.Wait()
}

// tree merges reports by tens until one is left.
func (m *meter) tree(dir string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	for level := 0; level == 0 || len(files) > 1; level++ {
		var next []string
		for len(files) > 0 {
			some := files[:min(10, len(files))]
			files = files[len(some):]
			to := filepath.Join(m.work, fmt.Sprintf("tree-%d-%d.json", level, len(next)))
			args := append([]string{"merge", "-o", "json=" + to}, some...)
			if out, err := exec.Command(m.triage, args...).CombinedOutput(); err != nil {
				return nil, fmt.Errorf("merging: %w\n%s", err, out)
			}
			next = append(next, to)
		}
		files = next
	}
	return os.ReadFile(files[0])
}

// writeLogs writes the logs of pods from..to-1, laid out as below /var/log/pods.
func writeLogs(out io.Writer, from, to int) error {
	dumps, err := textbook()
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(out, 1<<18)
	w := tar.NewWriter(buffered)
	lines := gen.PodLines()
	var log []byte
	for i := from; i < to; i++ {
		kind := i % len(dumps)
		next := lines(i)
		log = log[:0]
		// Two processes have no addresses in common: equal dumps would be copies of one.
		dump := bytes.ReplaceAll(dumps[kind], []byte("0xc0"), fmt.Appendf(nil, "0x%x", 0xc000000+i))
		for len(log)+len(dump) < *kilobytes*1000 {
			log = append(log, next()...)
		}
		log = append(log, dump...)
		name := fmt.Sprintf("pods/team-%d_web-%d-%d_%08x-0000-0000-0000-000000000000/app/0.log", kind%40, kind, i, i)
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(log))}); err != nil {
			return err
		}
		if _, err := w.Write(log); err != nil {
			return err
		}
	}
	return errors.Join(w.Close(), buffered.Flush())
}

// textbook returns the dumps of a signal in testdata/textbook, at most as many as there are kinds.
func textbook() (dumps [][]byte, err error) {
	f, err := os.Open("../testdata/textbook/first.tar.xz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	zr, err := xz.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	for r := tar.NewReader(zr); len(dumps) < kinds; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dumps, nil
		}
		if err != nil {
			return nil, err
		}
		if !strings.Contains(h.Name, "/go1.26") || !strings.HasSuffix(h.Name, "signal.txt") {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		dumps = append(dumps, append(data, '\n'))
	}
	return dumps, nil
}
