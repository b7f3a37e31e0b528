// Package conf has the settings of a service.
package conf

import (
	"os"
	"sync"
	"time"
)

// Settings are loaded when the first of them is needed.
type Settings struct {
	once   sync.Once
	values map[string]string
}

// Get is a setting.
func (s *Settings) Get(name string) string {
	s.once.Do(s.load)
	return s.values[name]
}

func (s *Settings) load() {
	values := map[string]string{"host": "localhost", "port": os.Getenv("SETTINGS_PORT")}
	time.Sleep(500 * time.Millisecond)
	for name, value := range values {
		if value == "" {
			values[name] = s.fallback(name)
		}
	}
	s.values = values
}

func (s *Settings) fallback(name string) string {
	return map[string]string{"port": "8080"}[name]
}
