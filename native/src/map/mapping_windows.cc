// CreateFileMapping and MapViewOfFile on Windows. See mapping.h. Offsets of views are multiples of the allocation
// granularity (64 KiB), not of the page size.
#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include "map/fault_guard.h"
#include "map/mapping.h"

namespace colkit {
namespace {

std::string LastError() {
  const DWORD code = GetLastError();
  char text[256] = {};
  const DWORD length = FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0,
                                      text, sizeof(text) - 1, nullptr);
  std::string message(text, length);
  while (!message.empty() && (message.back() == '\n' || message.back() == '\r' || message.back() == '.'))
    message.pop_back();
  return message.empty() ? "system error " + std::to_string(code) : message;
}

std::wstring Widen(const std::string& text) {
  const int length = MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), nullptr, 0);
  std::wstring wide(static_cast<size_t>(length), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(text.size()), &wide[0], length);
  return wide;
}

uint64_t Granularity() {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwAllocationGranularity;
}

int64_t ModificationTime(HANDLE file) {
  FILETIME written;
  if (!GetFileTime(file, nullptr, nullptr, &written)) return 0;
  return static_cast<int64_t>((static_cast<uint64_t>(written.dwHighDateTime) << 32) | written.dwLowDateTime);
}

}  // namespace

size_t PageBytes() {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwPageSize;
}

std::shared_ptr<MappedFile> MappedFile::Open(const std::string& path, int, std::string* error) {
  InstallFaultHandler();
  std::shared_ptr<MappedFile> mapped(new MappedFile());
  // Others may rename and delete the file while it is open here, as on POSIX.
  HANDLE file = CreateFileW(Widen(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                            nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    *error = LastError();
    return nullptr;
  }
  mapped->file_ = file;
  LARGE_INTEGER size;
  if (!GetFileSizeEx(file, &size)) {
    *error = LastError();
    return nullptr;
  }
  mapped->modified_ = ModificationTime(file);
  if (size.QuadPart == 0) return mapped;
  mapped->section_ = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (mapped->section_ == nullptr) {
    *error = LastError();
    return nullptr;
  }
  void* address = MapViewOfFile(mapped->section_, FILE_MAP_READ, 0, 0, 0);
  if (address == nullptr) {
    *error = LastError();
    return nullptr;
  }
  mapped->data_ = static_cast<const uint8_t*>(address);
  mapped->size_ = static_cast<uint64_t>(size.QuadPart);
  return mapped;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr && parts_.empty() && !is_copy()) UnmapViewOfFile(data_);
  if (section_ != nullptr) CloseHandle(section_);
  if (file_ != nullptr) CloseHandle(file_);
}

int64_t MappedFile::CurrentSize() const {
  if (is_copy()) return static_cast<int64_t>(size_);
  LARGE_INTEGER size;
  return GetFileSizeEx(file_, &size) ? size.QuadPart : -1;
}

bool MappedFile::WasModified() const {
  for (const auto& part : parts_) {
    if (part->WasModified()) return true;
  }
  return parts_.empty() && !is_copy() && (!StillWhole() || ModificationTime(file_) != modified_);
}

// Views are unmapped as a whole.
void MappedFile::UnmapBehind(uint64_t) {}

// Handles are not counted as descriptors are: it stays.
void MappedFile::CloseDescriptor() {}

bool MappedFile::GiveAdvice(Advice advice, uint64_t byte_offset, uint64_t byte_length) const {
  if (byte_length == 0 || data_ == nullptr || is_copy() || advice == Advice::kNormal) return true;
  if (advice != Advice::kWillNeed) return false;
  WIN32_MEMORY_RANGE_ENTRY range = {const_cast<uint8_t*>(data_) + byte_offset, static_cast<SIZE_T>(byte_length)};
  return PrefetchVirtualMemory(GetCurrentProcess(), 1, &range, 0) != 0;
}

bool MappedFile::OpenWindow(uint64_t byte_offset, uint64_t byte_length, Window* window, std::string* error) const {
  const uint64_t granularity = Granularity();
  const uint64_t start = byte_offset / granularity * granularity;
  const SIZE_T bytes = static_cast<SIZE_T>(byte_offset - start + byte_length);
  HANDLE section = CreateFileMappingW(file_, nullptr, PAGE_WRITECOPY, 0, 0, nullptr);
  if (section == nullptr) {
    *error = LastError();
    return false;
  }
  void* address = MapViewOfFile(section, FILE_MAP_COPY, static_cast<DWORD>(start >> 32),
                                static_cast<DWORD>(start & 0xffffffffu), bytes);
  if (address == nullptr) *error = LastError();
  CloseHandle(section);  // the view keeps the section alive
  if (address == nullptr) return false;
  window->region = address;
  window->region_bytes = bytes;
  window->data = static_cast<uint8_t*>(address) + (byte_offset - start);
  return true;
}

void MappedFile::CloseWindow(const Window& window) { UnmapViewOfFile(window.region); }

}  // namespace colkit

#endif  // _WIN32
