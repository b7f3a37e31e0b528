package declared

import (
	"embed"
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
)

//go:embed skeleton/*/*
var skeletons embed.FS

// SkeletonKinds are the kinds of evidence that there is a skeleton for.
func SkeletonKinds() []string {
	return []string{"dump", "profile", "objects", "logs", "audit", "metrics"}
}

// A SkeletonFile is one file of a new rule.
type SkeletonFile struct {
	Name string
	Data []byte
}

// Skeleton is a rule about a kind of evidence, with a fixture in which it fires and a near miss, named after the rule.
func Skeleton(kind, name string) ([]SkeletonFile, error) {
	if !rules.IsKebab(name) {
		return nil, fmt.Errorf("%q is not a rule name: names are kebab-case, such as stuck-upload", name)
	}
	id, _, _ := strings.Cut(strings.ToUpper(name), "-")
	id = strings.TrimLeft(id[:min(len(id), 16)], "0123456789") + "001"
	if !rules.IsID(id) || strings.HasPrefix(id, "TR") {
		id = "OWN001"
	}
	fill := strings.NewReplacer("@ID@", id, "@NAME@", name)
	var files []SkeletonFile
	for _, f := range []struct{ from, to string }{
		{"rule.yaml", name + ".yaml"}, {"fires.txtar", name + ".txtar"}, {"near.txtar", name + "-near.txtar"},
	} {
		data, err := skeletons.ReadFile("skeleton/" + kind + "/" + f.from)
		if err != nil {
			return nil, fmt.Errorf("there is no skeleton for %q", kind)
		}
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		files = append(files, SkeletonFile{f.to, []byte(fill.Replace(text))})
	}
	return files, nil
}
