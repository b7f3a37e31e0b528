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
// cancelled context.
func Merge(ctx context.Context, inputs []string) (*Report, error) {
	m := merge.New()
	for _, input := range inputs {
		err := filepath.WalkDir(input, func(path string, d fs.DirEntry, err error) error {
			named := path == input
			switch {
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case err != nil:
				m.Skip(unmerged(path, err))
			case !d.IsDir() && (named || d.Type().IsRegular() && ofReport(path)):
				if err := mergeFile(m, path); err != nil {
					m.Skip(unmerged(path, err))
				}
			}
			return nil
		})
		if err != nil {
			return m.Report(), fmt.Errorf("merging reports: %w", err)
		}
	}
	return m.Report(), nil
}

func ofReport(path string) bool {
	return slices.Contains([]string{".json", ".html"}, strings.ToLower(filepath.Ext(path)))
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
		return fmt.Errorf("the report has the form %q; this version reads %s", r.Schema, schema.Schema)
	case r.Diff != nil:
		return errors.New("it is a comparison of two reports")
	}
	r.Distrust()
	m.Add(r, filepath.Base(path))
	return nil
}
