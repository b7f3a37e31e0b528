package triage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/merge"
	"github.com/gotriage/triage/triage/schema"
)

// Merge folds the reports that triage wrote into one. Inputs are files, and folders whose files that end in .json or
// .html are read; one report at a time is in memory. What can't be read is in Report.Skipped. The error is for a
// cancelled context. progress, where not nil, counts the files.
func Merge(ctx context.Context, inputs []string, progress *Progress) (*Report, error) {
	m, taken := merge.New(), map[string]string{}
	for _, input := range inputs {
		root, found := input, false
		if info, err := os.Stat(input); err == nil && info.IsDir() {
			root += string(filepath.Separator) // a symbolic link to a folder is that folder
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err == nil && (d.IsDir() || path != root && !ofReport(path)):
				return nil
			case err == nil && path != root && !d.Type().IsRegular():
				err = errors.New("it is not a regular file")
			case err == nil:
				err = mergeOnce(m, path, taken)
			}
			if progress != nil {
				progress.Done.Add(1)
			}
			if found = true; err != nil {
				m.Skip(unmerged(path, err))
			}
			return nil
		})
		switch {
		case err != nil:
			return m.Report(), fmt.Errorf("merging reports: %w", err)
		case !found:
			m.Skip(unmerged(input, errors.New("no file in it ends in .json or .html")))
		}
	}
	return m.Report(), nil
}

func ofReport(path string) bool {
	return slices.Contains([]string{".json", ".html"}, strings.ToLower(filepath.Ext(path)))
}

// mergeOnce adds the report of a file that was not added before, neither as it is nor in the other form: 1.json and
// 1.html are one report.
func mergeOnce(m *merge.Merger, path string, taken map[string]string) error {
	key, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if ofReport(key) {
		key = strings.TrimSuffix(key, filepath.Ext(key))
	}
	if first, ok := taken[key]; ok {
		m.Skip(schema.SkippedCopy(path, first))
		return nil
	}
	if err := mergeFile(m, path); err != nil {
		return err
	}
	taken[key] = path
	return nil
}

func unmerged(path string, err error) Skipped {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return Skipped{Path: path, Reason: "not merged: " + err.Error(), Named: true,
		Hint: "triage merge takes reports: triage -o json=FILE INPUT"}
}

func mergeFile(m *merge.Merger, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := sources.ReadReport(f)
	switch {
	case err != nil:
		return err
	case r.Schema != schema.Schema:
		return fmt.Errorf("the report has the format %q; this version reads %s", r.Schema, schema.Schema)
	case r.Diff != nil:
		return errors.New("it is a comparison of two reports")
	}
	r.Distrust()
	m.Add(r, filepath.Base(path))
	return nil
}
