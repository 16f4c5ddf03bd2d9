//go:build desktop

package main

import (
	"context"
	"regexp"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"assay/backend/text"
)

// notifier says outside the window that something ended.
type notifier struct {
	mu   sync.Mutex
	on   bool
	last time.Time
}

// noticesApart is the least time between two notices: a page can say no more than a person could read.
const noticesApart = 2 * time.Second

var noticeID = regexp.MustCompile(`^[\w-]{0,64}$`)

// open begins to hear which notices are followed. Where the system has none, nothing is said.
func (n *notifier) open(ctx context.Context, followed func(id string)) {
	err := runtime.InitializeNotifications(ctx)
	n.mu.Lock()
	n.on = err == nil
	n.mu.Unlock()
	if err != nil {
		return
	}
	runtime.OnNotificationResponse(ctx, func(r runtime.NotificationResult) {
		if r.Error == nil && noticeID.MatchString(r.Response.ID) {
			followed(r.Response.ID)
		}
	})
}

func (n *notifier) close(ctx context.Context) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.on {
		n.on = false
		runtime.CleanupNotifications(ctx)
	}
}

func (n *notifier) allowed(ctx context.Context) bool {
	n.mu.Lock()
	on := n.on
	n.mu.Unlock()
	if !on || !runtime.IsNotificationAvailable(ctx) {
		return false
	}
	yes, err := runtime.RequestNotificationAuthorization(ctx)
	return err == nil && yes
}

// say shows a notice. Its words are ours; the page chooses which.
func (n *notifier) say(ctx context.Context, what, id string) {
	key, known := notices()[what]
	n.mu.Lock()
	now := time.Now()
	late := n.on && now.Sub(n.last) >= noticesApart
	if known && late {
		n.last = now
	}
	n.mu.Unlock()
	if !known || !late || !noticeID.MatchString(id) {
		return
	}
	go func() { // the bus may take its time
		_ = runtime.SendNotification(ctx, runtime.NotificationOptions{ID: id, Title: text.Say("window.title"), Body: text.Say(key)})
	}()
}
