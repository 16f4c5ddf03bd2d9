package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"assay/backend/fault"
	"assay/backend/semantic"
	"assay/backend/text"
	"assay/backend/workspace"
)

func (p Program) modelCommand() *cobra.Command {
	return group("model", text.Say("cli.model_short"), p.modelInfer(), p.modelCheck(), p.modelRepair(), p.modelDiff(), p.modelImport(), p.modelMaterialize())
}

// modelInfer proposes a model from the tables. It prints the files, or writes them where nothing stands yet.
func (p Program) modelInfer() *cobra.Command {
	var write bool
	c := &cobra.Command{Use: "infer [flags]", Short: text.Say("cli.model_infer_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&write, "write", false, text.Say("cli.flag_write"))
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, _ []string) error {
		m, err := ws.Inferred(ctx)
		if err != nil {
			return err
		}
		files := semantic.WriteYAML(m)
		names := make([]string, 0, len(files))
		for name := range files {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			if !write {
				p.say("# " + name)
				p.say(string(files[name]))
				continue
			}
			if err := p.writeNew(filepath.Join(ws.Dir(), filepath.FromSlash(name)), files[name]); err != nil {
				return err
			}
		}
		return nil
	})
	return c
}

// writeNew writes a file that is not there yet; what a person wrote is never replaced.
func (p Program) writeNew(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fault.Wrap(fault.Unavailable, "write model", text.Say("cli.cannot_write", "file", path), "", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		p.say(text.Say("cli.kept_file", "file", path))
		return nil
	}
	if err != nil {
		return fault.Wrap(fault.Unavailable, "write model", text.Say("cli.cannot_write", "file", path), "", err)
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return fault.Wrap(fault.Unavailable, "write model", text.Say("cli.cannot_write", "file", path), "", err)
	}
	p.say(text.Say("cli.wrote_file", "file", path))
	return nil
}

func (p Program) modelCheck() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{Use: "check [flags]", Short: text.Say("cli.model_check_short"), Args: exactly(0, 0, "")}
	c.Flags().BoolVar(&asJSON, "json", false, text.Say("cli.flag_json"))
	c.RunE = on(p.target(c, false), func(_ context.Context, ws *workspace.Workspace, _ []string) error {
		m, _ := ws.Model()
		problems := append(semantic.Check(m), semantic.CheckColumns(m)...)
		tools, wrong := ws.Skills()
		problems = append(problems, wrong...)
		left := ws.Problems()
		skills := []listedSkill{}
		for _, t := range tools {
			skills = append(skills, listedSkill{t.Name, t.Text})
		}
		if asJSON {
			return writeJSON(p.Stdout, map[string]any{
				"version": m.Version, "inferred": m.Inferred, "entities": len(m.Entities), "metrics": len(m.Metrics), "joins": len(m.Joins), "skills": skills, "problems": append([]semantic.Problem{}, problems...), "left_out": left,
			})
		}
		p.say(text.Say("cli.model_line", "name", m.Name, "version", m.Version, "entities", len(m.Entities), "metrics", len(m.Metrics), "joins", len(m.Joins)))
		for _, s := range skills {
			says, _, _ := strings.Cut(strings.TrimSpace(s.Says), "\n")
			p.say("  " + text.Say("cli.model_skill", "name", s.Name, "says", says))
		}
		for _, problem := range problems {
			p.say("  " + problem.String())
		}
		for _, problem := range left {
			p.say("  " + problem.String())
			if repairs := slices.DeleteFunc(slices.Clone(problem.Repairs), func(r string) bool { return r == "open" }); len(repairs) > 0 {
				p.say("    " + text.Say("cli.problem_repairs", "id", problem.ID, "repairs", strings.Join(repairs, ", ")))
			}
		}
		return nil
	})
	return c
}

// modelRepair does what a problem offers: restore, set_aside, refresh, remove.
func (p Program) modelRepair() *cobra.Command {
	c := &cobra.Command{Use: "repair [flags] ID REPAIR", Short: text.Say("cli.model_repair_short"), Args: exactly(2, 2, "cli.model_repair_missing")}
	c.RunE = on(p.target(c, false), func(ctx context.Context, ws *workspace.Workspace, args []string) error {
		if err := ws.Repair(ctx, args[0], args[1]); err != nil {
			return err
		}
		left := ws.Problems()
		p.say(text.Say("cli.repaired", "n", len(left)))
		return nil
	})
	return c
}

// listedSkill is a tool that a file of the workspace makes, as model check lists it.
type listedSkill struct {
	Name string `json:"name"`
	Says string `json:"says"` // what it is for, as a model of language is told
}
