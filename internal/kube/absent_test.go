package kube

import (
	"fmt"
	"strings"
	"testing"
)

// podsAt is a list of pods of one namespace, each "name:version".
func podsAt(version string, more string, pods ...string) string {
	items := make([]string, len(pods))
	for i, p := range pods {
		name, rv, _ := strings.Cut(p, ":")
		items[i] = fmt.Sprintf(`{"metadata": {"name": %q, "namespace": "shop", "uid": "u-%s", "resourceVersion": %q}, "status": {"phase": "Running"}}`,
			name, name, rv)
	}
	return fmt.Sprintf(`{"kind": "PodList", "apiVersion": "v1", "metadata": {"resourceVersion": %q%s}, "items": [%s]}`, version, more,
		strings.Join(items, ", "))
}

// goneOf reads files, each "path\ntext", and returns the names of the pods that are gone.
func goneOf(t *testing.T, files ...string) string {
	t.Helper()
	store := NewStore(0)
	var all []*Objects
	for _, f := range files {
		path, text, _ := strings.Cut(f, "\n")
		r := NewReader(store)
		if WantsLines(path) {
			r.Note(path, []byte(text), 1)
		} else if err := r.Read(path, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Close())
	}
	var gone []string
	for _, p := range Merge(all).Pods {
		if p.Gone {
			gone = append(gone, p.Name)
		}
	}
	return strings.Join(gone, " ")
}

func TestWhatALaterListLacksIsGone(t *testing.T) {
	first, second := podsAt("50", "", "a:10", "b:20"), podsAt("60", "", "a:10")
	inYAML := "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a, namespace: shop, uid: u-a, resourceVersion: \"10\"}\n" +
		"kind: PodList\nmetadata:\n  resourceVersion: \"60\"\n"
	for name, files := range map[string][]string{
		"two folders":             {"x/one/pods.json\n" + first, "x/two/pods.json\n" + second},
		"in another order":        {"x/one/pods.json\n" + second, "x/two/pods.json\n" + first},
		"numbered files":          {"x/pods-1.json\n" + first, "x/pods-2.json\n" + second},
		"one stream":              {"x/pods.json\n" + first + second},
		"another format":          {"x/one/pods.json\n" + first, "x/two/pods.json\n" + inYAML},
		"two bundles":             {"b-1/shop/pods.json\n" + first, "b-2/shop/pods.json\n" + second},
		"no version of the list":  {"x/one/pods.json\n" + podsAt("", "", "a:10", "b:20"), "x/two/pods.json\n" + podsAt("", "", "a:30")},
		"the version of another":  {"x/one/pods.json\n" + podsAt("", "", "a:10", "b:20"), "x/two/pods.json\n" + podsAt("", "", "a:10"), "x/two/n.json\n" + `{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n", "resourceVersion": "40"}}`},
		"seen in the middle only": {"x/1/pods.json\n" + podsAt("40", "", "a:10"), "x/2/pods.json\n" + first, "x/3/pods.json\n" + second},
	} {
		t.Run(name, func(t *testing.T) {
			if gone := goneOf(t, files...); gone != "b" {
				t.Errorf("gone: %q", gone)
			}
		})
	}
}

func TestAnEmptyListOfAFolderThatHasMoreInCommonEmptiesIt(t *testing.T) {
	node := `{"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n", "uid": "n", "resourceVersion": "%d"}}`
	if gone := goneOf(t, "x/1/pods.json\n"+podsAt("", "", "a:10", "b:20"), "x/1/node.json\n"+fmt.Sprintf(node, 15),
		"x/2/pods.json\n"+podsAt("", ""), "x/2/node.json\n"+fmt.Sprintf(node, 30)); gone != "a b" {
		t.Errorf("gone: %q", gone)
	}
}

func TestAListThatIsNotTheSameOneTellsNothing(t *testing.T) {
	first := podsAt("50", "", "a:10", "b:20")
	for name, files := range map[string][]string{
		"another page":               {"x/pods-1.json\n" + podsAt("60", `, "continue": "x"`, "a:10", "b:20"), "x/pods-2.json\n" + podsAt("60", "", "c:30")},
		"a first page":               {"x/one/pods.json\n" + first, "x/two/pods.json\n" + podsAt("60", `, "continue": "x"`, "a:10")},
		"more that is not counted":   {"x/one/pods.json\n" + first, "x/two/pods.json\n" + podsAt("60", `, "remainingItemCount": 1`, "a:10")},
		"another selector":           {"x/pods.json\n" + first, "x/pods-of-web.json\n" + podsAt("60", "", "a:10")},
		"another application":        {"x/app-1/pods.json\n" + first, "x/app-2/pods.json\n" + podsAt("60", "", "c:10")},
		"an empty one of another":    {"x/team-1/pods.json\n" + first, "x/team-2/pods.json\n" + podsAt("60", "")},
		"a folder of another":        {"x/all/pods.json\n" + first, "x/failing/pods.json\n" + podsAt("60", "", "a:10")},
		"an earlier one":             {"x/one/pods.json\n" + first, "x/two/pods.json\n" + podsAt("40", "", "a:10")},
		"nobody knows which is when": {"x/one/pods.json\n" + podsAt("", "", "a:10", "b:20"), "x/two/pods.json\n" + podsAt("", "", "a:10")},
		"seen afterwards": {"x/one/pods.json\n" + first, "x/two/pods.json\n" + podsAt("60", "", "a:10"),
			"x/watch.json\n" + `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "b", "namespace": "shop", "uid": "u-b", "resourceVersion": "70"}}`},
		"beside it": {"x/one/pods.json\n" + first, "x/two/pods.json\n" + podsAt("60", "", "a:10"),
			"x/two/b.json\n" + `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "b", "namespace": "shop", "uid": "u-b", "resourceVersion": "20"}}`},
		"cut": {"x/one/pods.json\n" + first, "x/two/errors.json\npods: the server timed out", "x/two/pods.json\n" + podsAt("60", "", "a:10")},
	} {
		t.Run(name, func(t *testing.T) {
			if gone := goneOf(t, files...); gone != "" {
				t.Errorf("gone: %q", gone)
			}
		})
	}
}

func TestAnObjectThatWasMadeAnewReplacesTheOld(t *testing.T) {
	pod := `{"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "db-0", "namespace": "shop", "uid": %q, "resourceVersion": "%d", "creationTimestamp": "2026-03-04T04:0%d:00Z"}}`
	store := NewStore(0)
	r := NewReader(store)
	if err := r.Read("w.json", strings.NewReader(fmt.Sprintf(pod, "x", 10, 1)+fmt.Sprintf(pod, "a", 20, 2))); err != nil {
		t.Fatal(err)
	}
	c := Merge([]*Objects{r.Close()})
	if len(c.Pods) != 2 || c.Pods[0].Gone || !c.Pods[1].Gone {
		t.Errorf("%+v", c.Pods)
	}
}
