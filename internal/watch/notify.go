package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"time"
)

// notifyFor is how long a webhook or a command may take: the next round waits for it.
const notifyFor = 30 * time.Second

// Webhook posts alarms as JSON to a URL. Errors leave the URL out, which often holds a secret.
func Webhook(address string) (func(context.Context, Alarm) error, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, usage("--webhook https://HOST/PATH", "the webhook is not an http or https URL")
	}
	// A redirect is an error: most become a GET, whose answer would hide that nobody got the alarm.
	client := &http.Client{Timeout: notifyFor, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return func(ctx context.Context, a Alarm) error {
		body, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("writing an alarm: %w", err)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return errors.New("the webhook's URL is unusable")
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			if e, ok := errors.AsType[*url.Error](err); ok {
				err = e.Err
			}
			return fmt.Errorf("calling the webhook at %s: %w", u.Host, err)
		}
		defer res.Body.Close()
		if res.StatusCode >= 300 {
			return fmt.Errorf("the webhook at %s answered %s", u.Host, res.Status)
		}
		return nil
	}, nil
}

// Command runs a program with each alarm: its argument is the folder of the capture, its input the alarm as JSON. What
// it prints goes to out. No shell is involved.
func Command(program string, out io.Writer) (func(context.Context, Alarm) error, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, usage("--exec PROGRAM takes an executable file, without arguments", "--exec: %w", err)
	}
	return func(ctx context.Context, a Alarm) error {
		ctx, cancel := context.WithTimeout(ctx, notifyFor)
		defer cancel()
		body, err := json.Marshal(a)
		if err != nil {
			return fmt.Errorf("writing an alarm: %w", err)
		}
		cmd := exec.CommandContext(ctx, path, a.Capture)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(body), out, out
		cmd.WaitDelay = time.Second // for children that keep its output open
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("running %s: %w", program, err)
		}
		return nil
	}, nil
}
