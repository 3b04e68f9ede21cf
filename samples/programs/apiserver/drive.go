package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const clients = 8

// Sends requests at a fixed rate, so that both sides of a comparison do the same work.
func drive(url string, rate int, length time.Duration) error {
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	ticks := make(chan int, rate)
	failures := make(chan error, clients)
	var group sync.WaitGroup
	for range clients {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := range ticks {
				if err := send(client, url, n); err != nil {
					failures <- err
					return
				}
			}
		}()
	}
	if err := waitFor(client, url); err != nil {
		return err
	}
	start := time.Now()
	for n := 0; time.Since(start) < length; n++ {
		time.Sleep(time.Until(start.Add(time.Duration(n) * time.Second / time.Duration(rate))))
		select {
		case ticks <- n:
		case err := <-failures:
			return err
		}
	}
	close(ticks)
	group.Wait()
	return nil
}

// Waits until the server listens.
func waitFor(client *http.Client, url string) error {
	var err error
	for range 50 {
		var response *http.Response
		if response, err = client.Get(url + "/debug/pprof/"); err == nil {
			return response.Body.Close()
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func send(client *http.Client, url string, n int) error {
	method, path, body := http.MethodGet, "/v1/orders/"+strconv.Itoa(n%1000+5000), []byte(nil)
	switch n % 4 {
	case 0, 1:
		method, path = http.MethodPost, "/v1/orders"
		body, _ = json.Marshal(sampleOrder(n))
	case 2:
		path = "/v1/largest?customer=customer%20" + strconv.Itoa(n%97)
	}
	request, err := http.NewRequest(method, url+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+sign("load"))
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusUnauthorized || response.StatusCode >= 500 {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
