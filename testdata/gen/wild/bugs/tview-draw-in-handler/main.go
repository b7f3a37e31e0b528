// Command tview-draw-in-handler shows jobs in a terminal.
//
// https://github.com/rivo/tview/issues/569
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"wild/kit"
)

func main() {
	kit.Serve()
	screen := tcell.NewSimulationScreen("UTF-8")
	app := tview.NewApplication().SetScreen(screen)
	status := tview.NewTextView()
	jobs := tview.NewList().AddItem("backup", "", 0, func() { start(app, status, "backup") })
	page := tview.NewFlex().AddItem(jobs, 0, 1, true).AddItem(status, 0, 1, false)
	go clock(app, status)
	go press(screen)
	if err := app.SetRoot(page, true).Run(); err != nil {
		log.Fatal(err)
	}
}

// clock shows the time, once a second.
func clock(app *tview.Application, status *tview.TextView) {
	for now := range time.Tick(time.Second) {
		app.QueueUpdateDraw(func() { status.SetTitle(now.Format(time.TimeOnly)) })
	}
}

// press is the user, who starts a job every three seconds.
func press(screen tcell.SimulationScreen) {
	for range time.Tick(3 * time.Second) {
		screen.InjectKey(tcell.KeyEnter, 0, tcell.ModNone)
	}
}

// begun is what the page says about a job.
func begun(job string) string { return fmt.Sprintf("%s has begun", job) }
