package accuracy

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

const (
	lastWordsDir = testdata + "/lastwords"
	lastWordsGen = testdata + "/gen/lastwords"
)

// fixWords are what the fix of each class says; where no fix is right, nothing is asked.
var fixWords = map[string]string{"refused": "listens", "expired": "Renew", "file": "Mount", "port": "port", "name": "name",
	"login": "credentials", "full": "space", "unreachable": "network", "authority": "authority", "denied": "right",
	"forbidden": "permission", "deadline": "answer", "certname": "name", "quota": "quota", "version": "version",
	"lease": "API server"}

// lastWords are the logs of pods as the kubelet keeps them. The title has to name the root of the error and the address,
// path or object, a finding the right kind of fix.
func lastWords(t *testing.T, population string) (all []*batch) {
	rows := readTSV(t, filepath.Join(lastWordsGen, "labels.tsv"))
	for _, half := range []string{"first", "second"} {
		all = append(all, &batch{population: population, half: half, archive: filepath.Join(lastWordsDir, half+".tar.xz"),
			inputs: func(_ *testing.T, dir string) (inputs []*input) {
				for _, row := range rows {
					if serviceHalf(row[0]) != half {
						continue
					}
					library, _, _ := strings.Cut(row[0], "-")
					l := nothing()
					if row[1] != "healthy" {
						l = newLabel([]string{"crash"}, []string{""}, "", rules.High)
						l.Headline = []string{row[1], row[2]}
						if words := fixWords[row[3]]; words != "" {
							l.Says = []string{words}
						}
					}
					inputs = append(inputs, &input{program: row[0], name: row[0], form: library, label: l,
						files: []string{filepath.Join(dir, row[0])}})
				}
				return inputs
			}})
	}
	return all
}

func TestTheLogsOfCrashesWithoutADumpTakeLessThan60KB(t *testing.T) {
	checkSize(t, lastWordsDir, 60_000)
}
