// Command tea-print-after-exit copies files and shows how far it is, in a terminal program that the user may close.
//
// https://github.com/charmbracelet/bubbletea/pull/1758
package main

import (
	"io"
	"log"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"wild/kit"
)

type view struct{}

func (view) Init() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tea.Quit() })
}

func (v view) Update(m tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := m.(tea.QuitMsg); ok {
		return v, tea.Quit
	}
	return v, nil
}

func (view) View() string { return "copying" }

func main() {
	kit.Serve()
	program := tea.NewProgram(view{}, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
	var wg sync.WaitGroup
	wg.Go(func() { copyFiles(program) })
	if _, err := program.Run(); err != nil {
		log.Fatal(err)
	}
	log.Print("closed")
	wg.Wait()
	log.Print("copied")
	for range time.Tick(time.Minute) {
		log.Print("idle")
	}
}

// copyFiles copies files and says so.
func copyFiles(program *tea.Program) {
	for file := range 8 {
		time.Sleep(300 * time.Millisecond)
		say(program, "copied file ", file)
	}
}
