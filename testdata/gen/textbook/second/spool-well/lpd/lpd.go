// Package lpd reads jobs from FIFOs.
package lpd

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"syscall"
)

// A Job has pages.
type Job struct{ Printer, Pages int }

// A Spool is a folder with a FIFO for each printer.
type Spool struct {
	Dir  string
	Jobs chan Job
}

func (s *Spool) path(printer int) string { return filepath.Join(s.Dir, fmt.Sprintf("lp%03d", printer)) }

// Make makes the FIFO of a printer.
func (s *Spool) Make(printer int) error { return syscall.Mkfifo(s.path(printer), 0o600) }

// Attach reads a printer's jobs, one after the other.
func (s *Spool) Attach(printer int) {
	for {
		f, err := os.OpenFile(s.path(printer), os.O_RDONLY, 0)
		if err != nil {
			log.Print(err)
			return
		}
		text, err := io.ReadAll(io.LimitReader(f, 1<<20))
		f.Close()
		if err == nil {
			s.Jobs <- Job{printer, 1 + len(text)/3000}
		}
	}
}

// Print sends text to a printer.
func (s *Spool) Print(printer int, text string) error {
	f, err := os.OpenFile(s.path(printer), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.WriteString(f, text)
	return err
}
