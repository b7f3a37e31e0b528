package capture

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"cluster/lab/crilog"
)

// eachLog calls f for each file below the folder of logs.
func (c *Capture) eachLog(f func(path string, size int64) error) error {
	return filepath.WalkDir(c.options.Logs, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return nil // it was rotated meanwhile
		}
		return f(path, info.Size())
	})
}

// readLogs adds the logs of the scene's pods and of the control plane since the scene's start.
func (c *Capture) readLogs(files Files) error {
	newest := map[string]int{} // number of the last instance by the folder of its log
	err := c.eachLog(func(name string, _ int64) error {
		if n, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(name), ".log")); err == nil {
			newest[filepath.Dir(name)] = max(n, newest[filepath.Dir(name)])
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.eachLog(func(name string, size int64) error {
		relative, err := filepath.Rel(c.options.Logs, name)
		if err != nil {
			return err
		}
		parts := strings.Split(relative, string(filepath.Separator))
		folder := strings.Split(parts[0], "_")
		if len(parts) != 3 || len(folder) != 3 ||
			folder[0] != "kube-system" && !c.owns(folder[0]) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		from := c.logs[name]
		if from >= int64(len(data)) {
			return nil
		}
		data = data[from:]
		if !c.options.Gathered {
			files["var/log/pods/"+filepath.ToSlash(relative)] = data
			return nil
		}
		n, err := strconv.Atoi(strings.TrimSuffix(parts[2], ".log"))
		if err != nil {
			return nil // rotated: must-gather asks the API server, which has the current file only
		}
		age := newest[filepath.Dir(name)] - n
		if age < 2 {
			to := fmt.Sprintf("namespaces/%s/pods/%s/%s/%s/logs", folder[0], folder[1], parts[1], parts[1])
			files[path.Join(to, []string{"current.log", "previous.log"}[age])] = crilog.Untag(data, true)
		}
		return nil
	})
}

// owns reports whether a namespace is one of the scene's.
func (c *Capture) owns(namespace string) bool {
	return strings.HasPrefix(namespace, c.options.Scene) || slices.Contains(c.options.Namespaces, namespace)
}
