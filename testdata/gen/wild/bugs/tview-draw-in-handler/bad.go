//go:build !fixed

package main

import "github.com/rivo/tview"

// start is called when a job is chosen.
func start(app *tview.Application, status *tview.TextView, job string) {
	status.SetText(begun(job))
	app.Draw()
}
