package memory

import (
	"bytes"
	"os"
	"testing"
	"time"

	"assay/backend/fault"
	"assay/backend/session"
)

func shareOf(id string, turn int, expires time.Time) Share {
	return Share{ID: id, SessionID: "parent", Turn: turn, Frames: session.FramesMasked, Actor: "ana", Expires: expires}
}

func TestAnAddressIsOpenUntilItIsRevokedOrExpires(t *testing.T) {
	m := grown(t)
	now := m.now()
	m.now = func() time.Time { return now }
	made, err := m.AddShare(t.Context(), shareOf("s1", 0, now.Add(time.Hour)), "token one")
	if err != nil || made.Turn != 3 || !made.Created.Equal(now) {
		t.Fatalf("%+v, %v", made, err)
	}
	if _, err := m.AddShare(t.Context(), shareOf("s2", 2, now.Add(time.Minute)), "token two"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := m.Shared(t.Context(), "token one"); err != nil || got.SessionID != "parent" || got.Turn != 3 || got.Frames != session.FramesMasked {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	all, err := m.Shares(t.Context(), "parent")
	if err != nil || len(all) != 2 || all[0].ID != "s2" || all[1].Opened != 2 || all[1].Seen == nil || all[0].Seen != nil {
		t.Fatalf("%+v, %v", all, err)
	}

	never := closed(t, m, "never was one")
	now = now.Add(time.Minute)
	if got := closed(t, m, "token two"); got != never {
		t.Errorf("an address that expired says %q, one that never was %q", got, never)
	}
	if err := m.RevokeShare(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	if got := closed(t, m, "token one"); got != never {
		t.Errorf("an address that was revoked says %q, one that never was %q", got, never)
	}
	first, _ := m.Shares(t.Context(), "")
	now = now.Add(time.Minute)
	if err := m.RevokeShare(t.Context(), "s1"); err != nil {
		t.Fatal(err)
	}
	if again, _ := m.Shares(t.Context(), ""); len(again) != 2 || again[1].Revoked == nil || !again[1].Revoked.Equal(*first[1].Revoked) {
		t.Errorf("revoked again it is %+v", again)
	}
}

// closed says with which words an address shows nothing.
func closed(t *testing.T, m *Memory, token string) string {
	t.Helper()
	_, err := m.Shared(t.Context(), token)
	if fault.CodeOf(err) != fault.NotFound {
		t.Fatalf("%s: %v", token, err)
	}
	return err.Error()
}

func TestAnAddressGoesWithItsSession(t *testing.T) {
	m := grown(t)
	if _, err := m.AddShare(t.Context(), shareOf("s1", 1, m.now().Add(time.Hour)), "token one"); err != nil {
		t.Fatal(err)
	}
	if err := m.Delete(t.Context(), "parent"); err != nil {
		t.Fatal(err)
	}
	closed(t, m, "token one")
	if err := m.RevokeShare(t.Context(), "s1"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("revoked though its session is deleted: %v", err)
	}
	if err := m.Restore(t.Context(), "parent"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Shared(t.Context(), "token one"); err != nil {
		t.Errorf("restored, its session is not shown: %v", err)
	}
}

func TestAddressesThatCannotBe(t *testing.T) {
	m := grown(t)
	later := m.now().Add(time.Hour)
	for name, s := range map[string]Share{
		"no session":     {ID: "x", SessionID: "nowhere", Expires: later},
		"no turn":        shareOf("x", 4, later),
		"turn before 1":  shareOf("x", -1, later),
		"empty, no name": {ID: "x", Expires: later},
	} {
		if _, err := m.AddShare(t.Context(), s, name); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := m.RevokeShare(t.Context(), "x"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("revoke nothing: %v", err)
	}
	for i := range mostShares {
		if _, err := m.AddShare(t.Context(), shareOf(newName(i), 1, later), newName(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.AddShare(t.Context(), shareOf("one more", 1, later), "one more"); fault.CodeOf(err) != fault.Limit {
		t.Errorf("one more than there may be: %v", err)
	}
	if err := m.RevokeShare(t.Context(), newName(0)); err != nil {
		t.Fatal(err)
	}
	if _, err := m.AddShare(t.Context(), shareOf("one more", 1, later), "one more"); err != nil {
		t.Errorf("in the place of a revoked one: %v", err)
	}
}

func newName(i int) string { return "share " + string(rune('a'+i/26)) + string(rune('a'+i%26)) }

func TestTheTokenOfAnAddressIsNowhere(t *testing.T) {
	m := grown(t)
	token := "5f1c0ffee0ddba11"
	if _, err := m.AddShare(t.Context(), shareOf("s1", 1, m.now().Add(time.Hour)), token); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{m.path, m.path + "-wal"} {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte(token)) {
			t.Errorf("it stands in %s", path)
		}
	}
}
