package profile
import ("testing";"os";"fmt";"time";"context";"path/filepath";"strings";"assay/backend/semantic")
func TestDump(t *testing.T){
 if os.Getenv("DUMP")=="" {t.Skip()}
 e:=openEngine(t)
 if os.Getenv("DUMP")=="northwind" { e.loadNorthwind(t) } else { e.loadCSVs(t, shared(t,"data",os.Getenv("DUMP"))) }
 st:=time.Now()
 f,m:=infer(t,e,semantic.Settings{Label:"x",Currency:"USD"})
 fmt.Println(time.Since(st), e.statements)
 for _,x:=range f.Tables { fmt.Println(x.Table,x.Rows,"key",x.Key,"deps",x.Determines,"totals",x.LineTotals) }
 for _,x:=range f.Inclusions { fmt.Println(x) }
 fmt.Println(describeModel(m))
}
func TestSpiderRefs(t *testing.T){
 if os.Getenv("SPIDER")=="" {t.Skip()}
 files,_:=filepath.Glob(filepath.Join(shared(t,"bench","db","spider"),os.Getenv("SPIDER")))
 var D,F,X int
 for _,file:=range files {
  if st,_:=os.Stat(file); st.Size()>3<<20 {continue}
  e:=openEngine(t)
  decl:=e.copySQLite(t,file)
  want:=map[string]bool{}
  for i:=range decl { for _,fk:=range decl[i].ForeignKeys { if len(fk.Columns)!=1 {continue}
    want[strings.ToLower(decl[i].Table+"."+fk.Columns[0]+">"+fk.RefTable)]=true }
    decl[i].Key=nil; decl[i].ForeignKeys=nil }
  _=time.Now
  f,err:=Measure(context.Background(),e.run,decl,Options{})
  if err!=nil {t.Errorf("%s: %v",file,err);continue}
  m:=semantic.Infer(f,semantic.Settings{Label:"x"})
  tab:=func(n string) string { for _,d:=range decl { if d.Alias==n {return d.Table}}; return n}
  got:=map[string]bool{}
  for _,j:=range m.Joins { 
   k:=strings.ToLower(tab(j.From)+"."+m.Entity(j.From).Dimension(j.On[0].From).Physical()+">"+tab(j.To)); got[k]=true
   if want[k] {F++} else {X++; fmt.Println("EXTRA",filepath.Base(file),k)} }
  for k:=range want { D++; if !got[k] {fmt.Println("MISSING",filepath.Base(file),k)}}
  e.db.Close()
 }
 fmt.Println("declared",D,"found",F,"extra",X)
}
