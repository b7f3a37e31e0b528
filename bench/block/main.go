// Command block runs a command that measures something and puts what it prints into a block of docs/performance.md, and
// the figures that README.md has of it there. A command that fails changes nothing.
//
//	cd bench && go run ./block [-plain] NAME COMMAND [ARGUMENT...]
//	go run ./block                                                      README.md alone
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gotriage/triage/bench/internal/page"
)

const doc, readme = "../docs/performance.md", "../README.md"

func main() {
	plain := flag.Bool("plain", false, "what is printed is plain text, not Markdown")
	flag.Parse()
	if err := run(*plain, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "block:", err)
		os.Exit(1)
	}
}

func run(plain bool, args []string) error {
	if len(args) == 0 {
		return page.PutReadme(readme, doc)
	}
	if len(args) == 1 {
		return errors.New("usage: block [-plain] NAME COMMAND [ARGUMENT...]")
	}
	name, args := args[0], args[1:]
	var out bytes.Buffer
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = io.MultiWriter(os.Stdout, &out), os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running %s: %w", strings.Join(args, " "), err)
	}
	text := strings.TrimSpace(out.String())
	if plain {
		text = "```\n" + text + "\n```"
	}
	head := fmt.Sprintf("`%s`, %s, %s:", strings.Join(args, " "), time.Now().UTC().Format("2 January 2006"),
		page.Machine())
	if err := page.Put(doc, name, head+"\n\n"+text); err != nil {
		return err
	}
	return page.PutReadme(readme, doc)
}
