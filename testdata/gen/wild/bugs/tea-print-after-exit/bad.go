//go:build !fixed

package main

import tea "github.com/charmbracelet/bubbletea"

// say prints above the program.
func say(program *tea.Program, words ...any) { program.Println(words...) }
