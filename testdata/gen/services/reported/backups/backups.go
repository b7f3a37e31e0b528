// Package backups copies folders to a bucket, every now and then.
package backups

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"example.net/lib/bucketsync"
)

func folder() string {
	dir, err := os.MkdirTemp("", "backups")
	if err != nil {
		log.Fatal(err)
	}
	for n := range 6 {
		os.WriteFile(filepath.Join(dir, fmt.Sprint(n)), nil, 0o600)
	}
	return dir
}

func Main(fixed bool) {
	kit.Start()
	m, dir := &bucketsync.Manager{Slow: fixed}, folder()
	for {
		go func() {
			if err := m.Sync(dir); err != nil {
				time.Sleep(time.Millisecond)
			}
		}()
		time.Sleep(600 * time.Millisecond)
	}
}
