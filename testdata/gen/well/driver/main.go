// Command driver takes the dumps of healthy programs that triage must not accuse of anything: it builds the programs beside
// it, lets each work, and dumps it at moments that chance chooses, which the programs know nothing of.
//
//	go run . -out ../../../well -only '^chat$'
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// releases are the Go releases the dumps are made with. All programs have twenty dumps of the first; those that an old
// release can build have five of each of the others.
const releases = "1.26.8,1.18.10,1.27.4"

func main() {
	out := flag.String("out", "../../../well", "folder for the dumps")
	gen := flag.String("gen", "..", "folder with the programs")
	versions := flag.String("go", releases, "Go releases, comma separated")
	only := flag.String("only", "", "run only the programs whose name matches this regular expression")
	flag.Parse()
	if err := run(*out, *gen, *versions, *only); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(out, gen, versions, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if gen, err = filepath.Abs(gen); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "well")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	var tasks []task
	for i, release := range strings.Split(versions, ",") {
		t, err := newToolchain(release, gen, temp)
		if err != nil {
			return err
		}
		for _, p := range programs {
			if !match.MatchString(p.name) || !t.isMain() && !p.old {
				continue
			}
			bin, err := t.build(p, fmt.Sprint(i))
			if err != nil {
				return err
			}
			tasks = append(tasks, p.tasks(t, bin, filepath.Join(out, p.name))...)
		}
	}
	d := &driver{temp: temp, secrets: []string{filepath.Dir(gen), temp, "/pkg/mod/"}}
	fmt.Fprintf(os.Stderr, "driver: %d runs\n", len(tasks))
	return errors.Join(d.runAll(tasks)...)
}
