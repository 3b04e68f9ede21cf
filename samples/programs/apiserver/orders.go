package main

import (
	"encoding/json"
	"net/http"
	"sort"
	"strconv"
	"sync"
)

type line struct {
	Article  string `json:"article"`
	Quantity int    `json:"quantity"`
	Cents    int    `json:"cents"`
}

type order struct {
	ID       int    `json:"id"`
	Customer string `json:"customer"`
	Card     string `json:"card"`
	Lines    []line `json:"lines"`
	Total    int    `json:"total"`
}

// Orders kept in a ring: a new one takes the place of the oldest.
type store struct {
	mutex  sync.RWMutex
	orders []order
	next   int
}

func newStore(size int) *store {
	s := &store{orders: make([]order, size)}
	for range size {
		s.add(sampleOrder(s.next))
	}
	return s
}

func sampleOrder(seed int) order {
	o := order{Customer: "customer " + strconv.Itoa(seed%97), Card: "4000-0000-0000-0000"}
	for i := range 8 {
		o.Lines = append(o.Lines, line{"article " + strconv.Itoa(seed*31%1000+i), i + 1, 100 + seed%900})
	}
	return o
}

func (s *store) add(o order) order {
	for _, l := range o.Lines {
		o.Total += l.Quantity * l.Cents
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	o.ID = s.next
	s.orders[s.next%len(s.orders)] = o
	s.next++
	return o
}

func (s *store) get(id int) (order, bool) {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	o := s.orders[id%len(s.orders)]
	return o, o.ID == id
}

// The orders of a customer with the highest totals.
func (s *store) largest(customer string, count int) []order {
	s.mutex.RLock()
	defer s.mutex.RUnlock()
	var found []order
	for _, o := range s.orders {
		if o.Customer == customer {
			found = append(found, o)
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Total > found[j].Total })
	return found[:min(count, len(found))]
}

func routes(s *store) *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/orders", func(w http.ResponseWriter, r *http.Request) {
		var o order
		if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(w, http.StatusCreated, s.add(o))
	})
	mux.HandleFunc("GET /v1/orders/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(r.PathValue("id"))
		if err != nil || id < 0 {
			http.Error(w, "invalid id", http.StatusBadRequest)
			return
		}
		if o, found := s.get(id); found {
			answer(w, http.StatusOK, o)
		} else {
			http.NotFound(w, r)
		}
	})
	mux.HandleFunc("GET /v1/largest", func(w http.ResponseWriter, r *http.Request) {
		answer(w, http.StatusOK, s.largest(r.URL.Query().Get("customer"), 10))
	})
	return mux
}

func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}
