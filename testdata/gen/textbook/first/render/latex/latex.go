// Package latex runs a typesetter.
package latex

import (
	"bytes"
	"fmt"
	"os/exec"
)

// A Press runs some typesetters at a time.
type Press struct{ slots chan struct{} }

// New is a press for three papers at a time.
func New() *Press { return &Press{make(chan struct{}, 3)} }

// Render returns what the typesetter printed about a paper.
func (p *Press) Render(paper string) (string, error) {
	p.slots <- struct{}{}
	defer func() { <-p.slots }()
	return p.run(paper)
}

func (p *Press) run(paper string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command("sh", "-c", "sleep 86400 & echo rendered $0", paper)
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("typesetter: %w", err)
	}
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("typesetter: %w", err)
	}
	return out.String(), nil
}
