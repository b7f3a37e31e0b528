//go:build fixed

package main

import "github.com/rivo/tview"

// start is called when a job is chosen; the page is drawn when it has returned.
func start(_ *tview.Application, status *tview.TextView, job string) {
	status.SetText(begun(job))
}
