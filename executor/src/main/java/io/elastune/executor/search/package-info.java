/** Search algorithms: which configurations are tried, and which trials go on. */
@NullMarked
package io.elastune.executor.search;

import org.jspecify.annotations.NullMarked;
