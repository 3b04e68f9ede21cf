// An HTTP API for orders, kept in memory: routes, bearer tokens, a log line for each request, and a middleware that dumps the bodies of
// requests and responses to the log. -dump=false switches that off. Profiles are at /debug/pprof/.
//
//	apiserver -listen 127.0.0.1:8080 [-dump=false]
//	apiserver -drive http://127.0.0.1:8080 -rate 1500 -seconds 60
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "address to serve")
	dump := flag.Bool("dump", true, "log the bodies of requests and responses")
	logFile := flag.String("log", os.DevNull, "file for the log")
	url := flag.String("drive", "", "send requests to a server at this URL instead of serving")
	rate := flag.Int("rate", 1500, "requests a second to send")
	seconds := flag.Int("seconds", 60, "how long to send them")
	flag.Parse()
	var err error
	if *url != "" {
		err = drive(*url, *rate, time.Duration(*seconds)*time.Second)
	} else {
		err = serve(*listen, *logFile, *dump)
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func serve(listen, logFile string, dump bool) error {
	file, err := os.OpenFile(logFile, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("/debug/pprof/", http.DefaultServeMux)
	mux.Handle("/v1/", handler(file, dump))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	return server.Serve(listener)
}

func handler(logTo io.Writer, dump bool) http.Handler {
	logger := slog.New(slog.NewJSONHandler(logTo, nil))
	next := http.Handler(routes(newStore(5000)))
	if dump {
		next = dumpBodies(logger, next)
	}
	return logRequests(logger, authenticate(next))
}
