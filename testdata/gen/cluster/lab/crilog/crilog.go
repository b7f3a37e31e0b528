// Package crilog writes container logs as a container runtime does, and rotates them as the kubelet does.
package crilog

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// longest is the length from which a line is cut into parts with the tag P: max_container_log_line_size of containerd.
const longest = 16 << 10

// A Log is the log of one instance of a container: /var/log/pods/NAMESPACE_POD_UID/CONTAINER/RESTARTS.log.
type Log struct {
	mu    sync.Mutex
	path  string
	limit int64
	size  int64
	file  *os.File
}

// Create creates a log that is rotated when it has more than limit bytes.
func Create(path string, limit int64) (*Log, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	return &Log{path: path, limit: limit, file: file}, nil
}

// Close closes the log.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}

// write writes one record.
func (l *Log) write(stream, tag string, text []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.limit > 0 && l.size > l.limit {
		if err := l.rotate(); err != nil {
			return err
		}
	}
	n, err := fmt.Fprintf(l.file, "%s %s %s %s\n", time.Now().UTC().Format(time.RFC3339Nano), stream, tag, text)
	l.size += int64(n)
	return err
}

// rotate renames the file as the kubelet does: RESTARTS.log.20060102-150405, compressed when the next one is rotated.
func (l *Log) rotate() error {
	old, err := filepath.Glob(l.path + ".*")
	if err != nil {
		return err
	}
	for _, name := range old {
		if filepath.Ext(name) == ".gz" {
			continue
		}
		if err := pack(name); err != nil {
			return err
		}
	}
	rotated := l.path + "." + time.Now().UTC().Format("20060102-150405")
	if _, err := os.Stat(rotated); err == nil {
		return nil // the kubelet looks at logs every ten seconds, so it never makes two a second
	}
	if err := os.Rename(l.path, rotated); err != nil {
		return err
	}
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	l.file.Close()
	l.file, l.size = file, 0
	return nil
}

func pack(name string) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(data)
	if err := w.Close(); err != nil {
		return err
	}
	if err := os.WriteFile(name+".gz", packed.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Remove(name)
}

// Stream returns a writer for "stdout" or "stderr". Close writes an unfinished last line.
func (l *Log) Stream(name string) io.WriteCloser { return &stream{log: l, name: name} }

type stream struct {
	log  *Log
	name string
	mu   sync.Mutex
	rest []byte
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = append(s.rest, p...)
	for {
		at := bytes.IndexByte(s.rest, '\n')
		switch {
		case at >= 0 && at <= longest:
			if err := s.log.write(s.name, "F", s.rest[:at]); err != nil {
				return 0, err
			}
			s.rest = s.rest[at+1:]
		case len(s.rest) > longest:
			if err := s.log.write(s.name, "P", s.rest[:longest]); err != nil {
				return 0, err
			}
			s.rest = s.rest[longest:]
		default:
			return len(p), nil
		}
	}
}

func (s *stream) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rest) == 0 {
		return nil
	}
	err := s.log.write(s.name, "F", s.rest)
	s.rest = nil
	return err
}

// Untag returns a log without what the runtime puts before each line, or with the times as `kubectl logs --timestamps`
// shows them.
func Untag(log []byte, times bool) []byte {
	var out bytes.Buffer
	whole := true // the last record ended its line
	for record := range bytes.Lines(log) {
		fields := bytes.SplitN(record, []byte(" "), 4)
		if len(fields) < 4 {
			continue
		}
		if whole && times {
			fmt.Fprintf(&out, "%s ", fields[0])
		}
		text := fields[3]
		if whole = string(fields[2]) == "F"; !whole {
			text = bytes.TrimSuffix(text, []byte("\n"))
		}
		out.Write(text)
	}
	return out.Bytes()
}
