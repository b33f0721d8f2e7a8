/** Whatever the form left open; what is there already stays. */
export declare function answered<T>(form: T): T;
