/** A program whose method `hot` takes most of its time; `waiter` waits for a lock. With an argument, it only waits. */
export const HOT_JAVA = `public class Hot {
  static double sum;
  static Object kept;
  static double hot(int n) { double s = 0; for (int i = 1; i < n; i++) s += Math.sqrt(i) % 1.7; return s; }
  static double cold(int n) { double s = 0; for (int i = 1; i < n; i++) s += i * 0.5; return s; }
  static synchronized void hold() throws Exception { Thread.sleep(30); }
  static void repeat(String name) {
    Thread thread = new Thread(() -> { try { for (;;) hold(); } catch (Exception e) { } }, name);
    thread.setDaemon(true);
    thread.start();
  }
  public static void main(String[] words) throws Exception {
    System.out.println("ready");
    if (words.length > 0) Thread.sleep(1000000);
    repeat("holder");
    repeat("waiter");
    for (;;) { sum += hot(300000) + cold(100000); kept = new byte[1 << 18]; }
  }
}
`;
