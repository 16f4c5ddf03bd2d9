package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/semantic/dbt"
	"assay/backend/text"
	"assay/backend/workspace"
)

// modelImport reads a dbt project into the context files of a workspace. What a person edited stays as it is.
func (p Program) modelImport() *cobra.Command {
	var asJSON, dry bool
	c := &cobra.Command{Use: "import [flags] PATH", Short: text.Say("cli.model_import_short"), Args: exactly(1, 1, "cli.no_project")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.Flags().BoolVar(&dry, "dry-run", false, text.Say("cli.flag_dry_run"))
	open := p.target(c, true)
	c.RunE = func(c *cobra.Command, args []string) error {
		ws, err := openToWrite(c, open)
		if err != nil {
			return err
		}
		defer ws.Close()
		result, plan, err := planned(ws, args[0])
		if err != nil {
			return err
		}
		if !dry {
			if err := apply(ws.Dir(), plan); err != nil {
				return err
			}
		}
		if asJSON {
			return writeJSON(p.Stdout, planJSON(result, plan))
		}
		p.printPlan(result, plan, dry)
		return nil
	}
	return c
}

// openToWrite opens a workspace of the person's own: an import into a sample would be lost with the next version of it.
func openToWrite(c *cobra.Command, open func(context.Context) (*workspace.Workspace, error)) (*workspace.Workspace, error) {
	if dir, _ := c.Flags().GetString("workspace"); dir == "" {
		return nil, usageError{fault.New(fault.Invalid, "command line", text.Say("cli.import_needs_workspace"), text.Say("cli.import_needs_workspace_hint"))}
	}
	return open(c.Context())
}

// readProject imports a folder or a manifest with what the workspace knows of its tables.
func readProject(path string, tables []dbt.Table) (*dbt.Result, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.Wrap(fault.NotFound, "import dbt", text.Say("cli.no_such_path", "path", path), text.Say("cli.no_such_path_hint"), err)
	}
	o := dbt.Options{Tables: tables}
	dir := path
	if !info.IsDir() {
		dir, o.File = filepath.Dir(path), filepath.Base(path)
	} else if _, err := os.Stat(filepath.Join(path, "target", dbt.ManifestName)); err == nil {
		dir = filepath.Join(path, "target") // of a dbt project, what dbt itself made of it
	}
	return dbt.Import(os.DirFS(dir), o)
}

func planned(ws *workspace.Workspace, path string) (*dbt.Result, *dbt.Plan, error) {
	result, err := readProject(path, loadedTables(ws))
	if err != nil {
		return nil, nil, err
	}
	plan, err := dbt.NewPlan(os.DirFS(ws.Dir()), result)
	return result, plan, err
}

func loadedTables(ws *workspace.Workspace) []dbt.Table {
	var all []dbt.Table
	for _, s := range ws.Sources() {
		for _, t := range s.Tables {
			x := dbt.Table{Name: t.Name, Alias: t.Alias}
			for _, c := range t.Columns {
				x.Columns = append(x.Columns, dbt.Column{Name: c.Name, Type: semantic.Type(c.Type)})
			}
			all = append(all, x)
		}
	}
	return all
}

// apply writes a plan. Every file is written beside its place and moved there, so that none is ever half there.
func apply(dir string, plan *dbt.Plan) error {
	for _, name := range sortedKeys(plan.Writes) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = os.WriteFile(path+".new", plan.Writes[name], 0o644)
		}
		if err == nil {
			err = os.Rename(path+".new", path)
		}
		if err != nil {
			return fault.Wrap(fault.Unavailable, "write model", text.Say("cli.cannot_write", "file", path), "", err)
		}
	}
	for _, name := range plan.Removes {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fault.Wrap(fault.Unavailable, "write model", text.Say("cli.cannot_write", "file", path), "", err)
		}
	}
	return nil
}

func sortedKeys(m map[string][]byte) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// planJSON is an import or a diff for programs.
func planJSON(r *dbt.Result, plan *dbt.Plan) map[string]any {
	notes := make([]map[string]any, 0, len(r.Notes))
	for _, n := range r.Notes {
		notes = append(notes, map[string]any{"lost": n.Lost, "object": n.Object, "file": n.Pos.File, "line": n.Pos.Line, "message": n.Message})
	}
	m := plan.After
	return map[string]any{
		"generated_from": m.Registry.GeneratedFrom, "entities": len(m.Entities), "metrics": len(m.Metrics), "joins": len(m.Joins),
		"changes": append([]semantic.Change{}, plan.Changes...), "conflicts": append([]dbt.Conflict{}, plan.Conflicts...),
		"written": sortedKeys(plan.Writes), "removed": append([]string{}, plan.Removes...), "kept": append([]string{}, plan.Kept...), "notes": notes,
	}
}

// printPlan says what was carried, what was not, and which files a person must look at.
func (p Program) printPlan(r *dbt.Result, plan *dbt.Plan, dry bool) {
	m := plan.After
	p.say(text.Say("cli.model_line", "name", m.Name, "version", m.Version, "entities", len(m.Entities), "metrics", len(m.Metrics), "joins", len(m.Joins)))
	p.say(text.Say("cli.generated_from", "source", m.Registry.GeneratedFrom))
	for _, lost := range []bool{true, false} {
		for i, n := range slices.DeleteFunc(slices.Clone(r.Notes), func(n dbt.Note) bool { return n.Lost != lost }) {
			if i == 0 && lost {
				p.say(text.Say("cli.not_carried"))
			} else if i == 0 {
				p.say(text.Say("cli.carried_so"))
			}
			p.say("  " + n.String())
		}
	}
	p.printConflicts(plan)
	if dry {
		p.printChanges(plan.Changes)
		return
	}
	p.say(text.Count("cli.wrote_files", int64(len(plan.Writes)), "n", len(plan.Writes)))
	for _, f := range plan.Removes {
		p.say(text.Say("cli.removed_file", "file", f))
	}
}

func (p Program) printConflicts(plan *dbt.Plan) {
	for _, f := range plan.Kept {
		p.say(text.Say("cli.kept_edit", "file", f))
	}
	for _, c := range plan.Conflicts {
		p.say(text.Say("cli.conflict", "file", c.File))
		p.printChanges(c.Theirs)
	}
}

var changeMarks = map[string]string{"added": "+", "removed": "-", "changed": "~"}

func (p Program) printChanges(changes []semantic.Change) {
	for _, c := range changes {
		p.say("  " + changeMarks[c.Kind] + " " + c.Object)
		for _, f := range c.Fields {
			p.say("      " + text.Say("cli.field_change", "field", f.Field, "before", shortened(f.Before), "after", shortened(f.After)))
		}
	}
}

// shortened keeps a value on its line.
func shortened(s string) string {
	if s == "" {
		return text.Say("cli.nothing")
	}
	if r := []rune(s); len(r) > 80 {
		return string(r[:77]) + "..."
	}
	return s
}
