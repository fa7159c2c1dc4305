package io.tidemark.poll;

import java.util.Arrays;

/** Items by number, the one of the highest value first. An item's value can be changed, and an item removed. */
final class ValueHeap {

  private static final int ABSENT = -1;

  private int[] items = new int[16];
  private int[] places = new int[0];
  private double[] values = new double[0];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The item of the highest value; the heap is not empty. */
  int top() {
    return items[0];
  }

  double value(int item) {
    return values[item];
  }

  /** Adds the item, or changes its value. */
  void set(int item, double value) {
    makeRoom(item);
    var place = places[item];
    if (place == ABSENT) {
      if (size == items.length) {
        items = Arrays.copyOf(items, 2 * size);
      }
      values[item] = value;
      up(size++, item);
    } else {
      var before = values[item];
      values[item] = value;
      if (value > before) {
        up(place, item);
      } else {
        down(place, item);
      }
    }
  }

  /** Removes the item, if it is there. */
  void remove(int item) {
    if (item >= places.length || places[item] == ABSENT) {
      return;
    }
    var place = places[item];
    places[item] = ABSENT;
    var last = items[--size];
    if (last != item) {
      up(place, last);
      down(places[last], last);
    }
  }

  private void makeRoom(int item) {
    if (item >= places.length) {
      var before = places.length;
      places = Arrays.copyOf(places, Math.max(16, 2 * (item + 1)));
      values = Arrays.copyOf(values, places.length);
      Arrays.fill(places, before, places.length, ABSENT);
    }
  }

  private void up(int from, int item) {
    var place = from;
    while (place > 0 && values[items[(place - 1) / 2]] < values[item]) {
      put(items[(place - 1) / 2], place);
      place = (place - 1) / 2;
    }
    put(item, place);
  }

  private void down(int from, int item) {
    var place = from;
    for (var child = 2 * place + 1; child < size; child = 2 * place + 1) {
      if (child + 1 < size && values[items[child + 1]] > values[items[child]]) {
        child++;
      }
      if (values[items[child]] <= values[item]) {
        break;
      }
      put(items[child], place);
      place = child;
    }
    put(item, place);
  }

  private void put(int item, int place) {
    items[place] = item;
    places[item] = place;
  }
}
