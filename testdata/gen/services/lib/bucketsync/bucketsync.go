// Package bucketsync copies files to a bucket.
package bucketsync

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

type file struct{ name string }

// A Manager copies. Slow copies instead of failing.
type Manager struct{ Slow bool }

func (m *Manager) list(dir string) chan file {
	files := make(chan file)
	go func() {
		defer close(files)
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				emit(files, path)
			}
			return nil
		})
	}()
	return files
}

func emit(to chan<- file, path string) { to <- file{path} }

// Sync copies a folder.
func (m *Manager) Sync(dir string) error {
	files := m.list(dir)
	if !m.Slow {
		return errors.New("no such bucket")
	}
	for range files {
		time.Sleep(3 * time.Second)
	}
	return nil
}
