package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// noticesFile holds the licenses of all that is linked into the binary, for every system that it is built for.
const noticesFile = "THIRD_PARTY_NOTICES.txt"

// A linked is a file of a license, as the license or the notice of a module.
type linked struct{ module, name, path string }

// linkedLicenses are the files that speak of licenses in the folders of all linked packages, up to their module's.
func linkedLicenses(t *testing.T) (files []linked) {
	t.Helper()
	for _, system := range []string{"linux", "darwin", "windows"} {
		cmd := exec.Command("go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", ".")
		cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSpace(line), "\t")
			if len(f) != 3 {
				continue
			}
			for dir := f[2]; strings.HasPrefix(dir, f[1]); dir = filepath.Dir(dir) {
				names, err := os.ReadDir(dir)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range names {
					file := linked{f[0], strings.TrimPrefix(filepath.ToSlash(filepath.Join(dir, n.Name())[len(f[1]):]), "/"),
						filepath.Join(dir, n.Name())}
					if licenseName.MatchString(n.Name()) && !n.IsDir() && !slices.Contains(files, file) {
						files = append(files, file)
					}
				}
			}
		}
	}
	slices.SortFunc(files, func(a, b linked) int { return strings.Compare(a.module+"\t"+a.name, b.module+"\t"+b.name) })
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := linked{"The Go standard library", "LICENSE", filepath.Join(strings.TrimSpace(string(root)), "LICENSE")}
	return append([]linked{std}, files...)
}

// licenseName matches the names of files that hold a license or what one asks to be passed on; permissive, the licenses
// that ask for no more than that.
var (
	licenseName = regexp.MustCompile(`(?i)^(?:licen[cs]e|copying|notice|patents)(?:[.-].*)?$`)
	permissive  = regexp.MustCompile(`Apache License\s+Version 2\.0|Permission is hereby granted, free of charge|` +
		`Redistribution and use in source and binary forms|Permission to use, copy, modify, and(?:/or)? distribute`)
)

func TestNoticesNameTheLicensesOfAllThatIsLinked(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("triage is linked with these modules, under these licenses.\n")
	has := map[string]bool{}
	for _, f := range linkedLicenses(t) {
		text, err := os.ReadFile(f.path)
		if err != nil {
			t.Fatal(err)
		}
		has[f.module] = has[f.module] || permissive.Match(text)
		rule := strings.Repeat("=", 80)
		fmt.Fprintf(&b, "\n%s\n%s, %s\n%s\n\n%s\n", rule, f.module, f.name, rule, bytes.TrimSpace(text))
	}
	for module, known := range has {
		if !known {
			t.Errorf("%s: no license that is known to allow the binary to be passed on", module)
		}
	}
	if len(has) < 15 {
		t.Errorf("%d modules", len(has))
	}
	got, err := os.ReadFile(noticesFile)
	if *update {
		err = os.WriteFile(noticesFile, b.Bytes(), 0o644)
	} else if err == nil && !bytes.Equal(got, b.Bytes()) {
		t.Errorf("%s is stale: go test ./cmd/triage -run NoticesName -update", noticesFile)
	}
	if err != nil {
		t.Fatal(err)
	}
}
