#pragma once
// What can be said of an exception that ends a program in which a model speaks.

#include <exception>
#include <new>
#include <string>

#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

// The command that finds what is wrong with a tree.
inline constexpr const char* kGrade = "./lab grade";

// A sentence. grade: the command that looks for the mistakes of the student's files.
inline std::string sentence_of(const std::exception_ptr& failure, const std::string& grade) {
  try {
    std::rethrow_exception(failure);
  } catch (const NotImplemented& stub) {
    return std::string(stub.what()) + "; write it, " + grade + " says how far it is";
  } catch (const ContractViolation& refused) {
    return "a call breaks the rule \"" + std::string(refused.what()) + "\"; " + grade +
           " finds the call";
  } catch (const std::bad_alloc&) {
    return "there is not enough memory for this model";
  } catch (const std::exception& error) {
    return std::string("the tree throws an exception: ") + error.what() + "; " + grade +
           " finds the call";
  } catch (...) {
    return "the tree throws what is no std::exception; " + grade + " finds the call";
  }
}

}  // namespace kv
