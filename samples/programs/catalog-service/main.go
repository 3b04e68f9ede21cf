// A catalogue served over HTTP on the loopback address, and clients that ask for it: search with JSON, pages from templates, exports
// compressed with gzip. Prints the number of requests served each second.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math/rand"
	"net"
	"net/http"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

type item struct {
	ID    int               `json:"id"`
	Name  string            `json:"name"`
	Price float64           `json:"price"`
	Tags  []string          `json:"tags"`
	Specs map[string]string `json:"specs"`
}

type category struct {
	Name  string
	Items []item
	Below []category
}

var catalog []item
var tree category
var served atomic.Int64

var page = template.Must(template.New("page").Parse(`<!doctype html><title>{{.Name}}</title>
{{define "category"}}<section><h2>{{.Name}}</h2><ul>{{range .Items}}<li title="{{.Name}}">{{.Name}}: {{printf "%.2f" .Price}}</li>{{end}}</ul>
{{range .Below}}{{template "category" .}}{{end}}</section>{{end}}{{template "category" .}}`))

func fillCatalog() {
	random := rand.New(rand.NewSource(1))
	words := strings.Fields("steel oak brass linen copper glass slate cedar ivory amber cobalt walnut")
	for id := range 2000 {
		name := words[random.Intn(12)] + " " + words[random.Intn(12)] + " no. " + strconv.Itoa(id)
		tags := []string{words[random.Intn(12)], words[random.Intn(12)]}
		specs := map[string]string{"weight": strconv.Itoa(random.Intn(900)) + " g", "colour": words[random.Intn(12)]}
		catalog = append(catalog, item{id, name, random.Float64() * 100, tags, specs})
	}
	tree = growTree("All", 4)
}

func growTree(name string, depth int) category {
	start := depth * 40
	grown := category{Name: name, Items: catalog[start : start+6]}
	if depth == 0 {
		return grown
	}
	for i := range 3 {
		grown.Below = append(grown.Below, growTree(name+"/"+strconv.Itoa(i), depth-1))
	}
	return grown
}

func matchItems(pattern *regexp.Regexp) []item {
	var found []item
	for _, candidate := range catalog {
		if pattern.MatchString(candidate.Name) {
			found = append(found, candidate)
		}
	}
	return found
}

func rankItems(items []item) {
	sort.Slice(items, func(i, j int) bool { return items[i].Price < items[j].Price })
}

func handleSearch(w http.ResponseWriter, r *http.Request) {
	pattern, err := regexp.Compile("(?i)" + r.URL.Query().Get("q"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	found := matchItems(pattern)
	rankItems(found)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found[:min(len(found), 50)])
}

func handlePage(w http.ResponseWriter, r *http.Request) {
	_ = page.Execute(w, tree)
}

func handleExport(w http.ResponseWriter, r *http.Request) {
	var text bytes.Buffer
	for _, row := range catalog[:400] {
		fmt.Fprintf(&text, "%d;%s;%.2f;%s\n", row.ID, row.Name, row.Price, strings.Join(row.Tags, ","))
	}
	compressed := gzip.NewWriter(w)
	_, _ = compressed.Write(text.Bytes())
	_ = compressed.Close()
}

func countRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		served.Add(1)
	})
}

func requireClient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Client") == "" {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func runClient(base string, seed int64) {
	random := rand.New(rand.NewSource(seed))
	paths := []string{"/search?q=oak.*brass", "/search?q=(steel|linen)", "/page", "/export", "/search?q=no.+7"}
	for {
		request, _ := http.NewRequest("GET", base+paths[random.Intn(len(paths))], nil)
		request.Header.Set("X-Client", "load")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		_, _ = io.Copy(io.Discard, response.Body)
		_ = response.Body.Close()
	}
}

func main() {
	fillCatalog()
	routes := http.NewServeMux()
	routes.HandleFunc("GET /search", handleSearch)
	routes.HandleFunc("GET /page", handlePage)
	routes.HandleFunc("GET /export", handleExport)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() { panic(http.Serve(listener, countRequests(requireClient(routes)))) }()
	for client := range 3 {
		go runClient("http://"+listener.Addr().String(), int64(client))
	}
	for before := int64(0); ; before = served.Load() {
		time.Sleep(time.Second)
		fmt.Println(served.Load()-before, "requests/s")
	}
}
