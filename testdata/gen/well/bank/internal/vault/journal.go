package vault

import (
	"fmt"
	"os"
	"sync"
)

// A journal is a file that has each line on disk before append returns.
type journal struct {
	mu   sync.Mutex
	file *os.File
	size int
}

func openJournal(name string) (*journal, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, fmt.Errorf("creating the journal: %w", err)
	}
	return &journal{file: f}, nil
}

func (j *journal) append(line string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.size += len(line); j.size > 1<<20 {
		if err := j.file.Truncate(0); err != nil {
			return fmt.Errorf("emptying the journal: %w", err)
		}
		j.size = 0
	}
	if _, err := j.file.WriteString(line); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("syncing the journal: %w", err)
	}
	return nil
}
