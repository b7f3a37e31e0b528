// Package intake imports files of a folder.
package intake

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// An Importer reads one file after the other.
type Importer struct {
	folder string
	count  atomic.Int64
}

// New reads a folder.
func New(folder string) *Importer { return &Importer{folder: folder} }

// Count is the number of files so far.
func (i *Importer) Count() int64 { return i.count.Load() }

// Poll looks for the next file again and again.
func (i *Importer) Poll(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(700 * time.Millisecond)
		if err := i.file("delivery.csv"); err != nil {
			log.Fatalf("import of %s: %v", "delivery.csv", err)
		}
		i.count.Add(1)
	}
}

func (i *Importer) file(name string) error {
	data, err := os.ReadFile(filepath.Join(i.folder, name))
	if err != nil {
		return fmt.Errorf("reading: %w", err)
	}
	log.Print(len(data), " bytes")
	return nil
}
