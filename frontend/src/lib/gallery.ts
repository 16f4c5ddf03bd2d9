/** Whether this build has the gallery: the page in development, and the build that its checks drive. What ships has none. */
export const hasGallery = import.meta.env.MODE === 'development' || import.meta.env.MODE === 'gallery';
