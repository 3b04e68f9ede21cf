package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"runtime/pprof"
	"strings"
	"time"
)

var signingKey = []byte("a sample, not a secret")

func sign(user string) string {
	mac := hmac.New(sha256.New, signingKey)
	mac.Write([]byte(user))
	return user + "." + hex.EncodeToString(mac.Sum(nil))
}

// Tokens are "user.signature".
func authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		user, _, _ := strings.Cut(token, ".")
		if !found || !hmac.Equal([]byte(token), []byte(sign(user))) {
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func logRequests(logger *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		recorded := &statusWriter{w, http.StatusOK}
		labels := pprof.Labels("endpoint", r.Method+" "+endpoint(r.URL.Path))
		pprof.Do(r.Context(), labels, func(ctx context.Context) { next.ServeHTTP(recorded, r.WithContext(ctx)) })
		logger.Info("request", "method", r.Method, "path", r.URL.Path, "status", recorded.status, "took", time.Since(start))
	})
}

// The route of a path, without ids.
func endpoint(path string) string {
	if strings.HasPrefix(path, "/v1/orders/") {
		return "/v1/orders/{id}"
	}
	return path
}

type bodyWriter struct {
	http.ResponseWriter
	body bytes.Buffer
}

func (w *bodyWriter) Write(data []byte) (int, error) {
	w.body.Write(data)
	return w.ResponseWriter.Write(data)
}

// Parses and indents every body, for a log that people read.
func dumpBodies(logger *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(request))
		recorded := &bodyWriter{ResponseWriter: w}
		next.ServeHTTP(recorded, r)
		logger.Info("dump", "request", dumpBody(request), "response", dumpBody(recorded.body.Bytes()))
	})
}

func dumpBody(body []byte) string {
	var value any
	if json.Unmarshal(body, &value) != nil {
		return string(body)
	}
	pretty, err := json.MarshalIndent(redact(value), "", "  ")
	if err != nil {
		return string(body)
	}
	return string(pretty)
}

func redact(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if key == "card" {
				value[key] = "redacted"
			} else {
				value[key] = redact(inner)
			}
		}
	case []any:
		for i, inner := range value {
			value[i] = redact(inner)
		}
	}
	return value
}
