package triage

import "github.com/gotriage/triage/internal/ingest"

// OpenedBy returns o with its files opened by a function, as tests of failing disks need it.
func (o Options) OpenedBy(file func(path string) (ingest.DiskFile, error)) Options {
	o.openFile = file
	return o
}
