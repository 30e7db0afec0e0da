// The cores that this process may use, and which of them its threads run on.
#ifndef COLKIT_NATIVE_CORES_H_
#define COLKIT_NATIVE_CORES_H_

namespace colkit {

// Cores that this process may use: the affinity mask, hyperthreads of one core counted once where Linux tells which are
// siblings.
unsigned PhysicalCores();

// Where the calling thread runs; -1 where the system does not tell.
int CurrentCore();

// The system's number of the calling thread.
int CurrentThread();

// Lets `thread` run on the cores that the process's first thread may use but for `core`; on that too where it is the
// only one, or -1.
void KeepOffCore(int thread, int core);

}  // namespace colkit

#endif  // COLKIT_NATIVE_CORES_H_
