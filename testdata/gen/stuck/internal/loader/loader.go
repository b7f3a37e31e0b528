// Package loader loads plugins when the first of them is asked for.
package loader

import "sync"

// A Loader loads once.
type Loader struct {
	once    sync.Once
	plugins map[string]string
}

// Start asks for plugins from four goroutines.
func Start() {
	l := new(Loader)
	for _, name := range []string{"csi", "cni", "cri", "device"} {
		go l.serve(name)
	}
}

func (l *Loader) serve(name string) string { return l.Plugin(name) }

// Plugin is the path of a plugin.
func (l *Loader) Plugin(name string) string {
	l.once.Do(l.load)
	return l.plugins[name]
}

func (l *Loader) load() {
	l.plugins = map[string]string{}
	for _, name := range []string{"csi", "cni"} {
		l.plugins[name] = l.resolve(name)
	}
}

// resolve follows an alias.
func (l *Loader) resolve(name string) string {
	if name == "csi" {
		return l.Plugin("cri")
	}
	return "/opt/" + name
}
